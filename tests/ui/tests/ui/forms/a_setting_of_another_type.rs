use saga_runtime::Form;

#[derive(Form)]
struct Trip {
    #[form(min = 1)]
    city: String,
    #[form(max_length = 3)]
    nights: u8,
    #[form(max_items = 3)]
    note: String,
}

fn main() {}
