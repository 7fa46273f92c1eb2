use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool(n: u32) -> Result<String, ToolError> {
    let text = {
        macro_rules! unit {
            ($name:ident) => {
                struct $name;
                impl $name {
                    fn text(&self, n: u32) -> String {
                        format!("{n} {}", stringify!($name))
                    }
                }
            };
        }
        unit!(Meter);
        unit!(Foot);
        let feet = Foot.text(n);
        let ok: Confirm = elicit(format!("{feet}?")).await?;
        if ok.yes { feet } else { Meter.text(n) }
    };
    Ok(text)
}

#[saga_tool]
async fn a_static() -> Result<u32, ToolError> {
    thread_local! {
        static COUNT: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    }
    let ok: Confirm = elicit("Count?").await?;
    COUNT.set(COUNT.get() + u32::from(ok.yes));
    Ok(COUNT.get())
}

fn main() {}
