use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

mod sizes {
    pub(super) const SMALL: u8 = 1;
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Plan {
    size: u8,
}

#[saga_tool]
async fn tool() -> Result<u8, ToolError> {
    let first = Plan { size: 1 };
    let second = {
        #[derive(serde::Serialize, serde::Deserialize)]
        struct Plan(u8);
        let plan = Plan(2);
        elicit::<Confirm>("Two?").await?;
        plan.0
    };
    Ok(first.size + second)
}

#[saga_tool]
async fn with_more_names() -> Result<u8, ToolError> {
    let size = {
        use sizes::*;
        #[derive(serde::Serialize, serde::Deserialize)]
        struct Size(u8);
        let size = Size(SMALL);
        elicit::<Confirm>("Small?").await?;
        size.0
    };
    Ok(size)
}

#[saga_tool]
async fn with_a_trait() -> Result<String, ToolError> {
    let before = 5_u8.to_string();
    let inside = {
        trait Shown {
            fn to_string(&self) -> String;
        }
        impl Shown for u8 {
            fn to_string(&self) -> String {
                format!("size {self}")
            }
        }
        let size: &dyn Shown = &1_u8;
        let text = size.to_string();
        elicit::<Confirm>("Small?").await?;
        text
    };
    Ok(before + &inside)
}

fn main() {}
