//! Everything that is wrong with some forms, in one build.
use saga_runtime::Form;

#[derive(Form)]
enum Answer {
    Yes,
    No,
}

#[derive(Form)]
union Bits {
    whole: u32,
    half: u16,
}

#[derive(Form)]
struct Name(String);

#[derive(Form)]
#[form(rename_all = "snake", colour = "red")]
struct Trip {
    #[form(title)]
    city: String,
    #[form(description = 3)]
    nights: u8,
    #[form(min = 1, min = 2)]
    guests: u8,
    #[form(min = 9, max = 1)]
    rooms: u8,
    #[form(format = "phone")]
    phone: String,
    #[form(rename = "")]
    note: String,
    #[form(rename = "city")]
    town: String,
}

fn main() {}
