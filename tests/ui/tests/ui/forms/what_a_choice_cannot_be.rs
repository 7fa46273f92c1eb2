use saga_runtime::Choice;

#[derive(Choice)]
struct Size {
    small: bool,
}

#[derive(Choice)]
enum Nothing {}

#[derive(Choice)]
enum Meal {
    Fish,
    #[choice(rename = "Fish")]
    Meat,
    Soup(u8),
}

fn main() {}
