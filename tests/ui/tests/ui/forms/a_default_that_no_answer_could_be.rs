use saga_runtime::Form;

#[derive(Form)]
struct Trip {
    #[form(max = 9, default = 10)]
    nights: u8,
}

fn main() {}
