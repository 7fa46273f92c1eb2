use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

struct Rule<F> {
    holds: F,
}

fn rule<F: Fn(u32) -> bool>(holds: F) -> Rule<F> {
    Rule { holds }
}

fn allowed(rule: Rule<impl Fn(u32) -> bool>, price: u32, confirmed: bool) -> bool {
    (rule.holds)(price) || confirmed
}

#[saga_tool]
async fn tool(prices: Vec<u32>, limit: u32) -> Result<usize, ToolError> {
    let mut bought = 0;
    for price in prices {
        if allowed(rule(|price| price < limit), price, elicit::<Confirm>("Buy?").await?.yes) {
            bought += 1;
        }
    }
    Ok(bought)
}

fn main() {}
