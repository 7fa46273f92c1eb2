//! The rewrites that the messages of `forms` offer: a module for each case, with the names of what is refused there.
#![deny(warnings)]
#![allow(dead_code)]

use saga_runtime::{Choice, Form, ToolError, elicit, saga_tool};

mod a_default_that_no_answer_could_be {
    use super::*;

    #[derive(Form)]
    struct Trip {
        #[form(max = 9, default = 9)]
        nights: u8,
    }
}

mod a_setting_of_another_type {
    use super::*;

    #[derive(Form)]
    struct Trip {
        #[form(min_length = 1)]
        city: String,
        #[form(max = 3)]
        nights: u8,
        #[form(max_length = 3)]
        note: String,
    }
}

mod a_struct_that_is_no_form {
    use super::*;

    #[derive(Form)]
    struct Confirm {
        yes: bool,
    }

    #[derive(Choice)]
    enum Size {
        Small,
    }

    #[derive(Form)]
    struct Order {
        sizes: Vec<Size>,
    }

    #[saga_tool]
    async fn tool() -> Result<bool, ToolError> {
        Ok(elicit::<Confirm>("Sure?").await?.yes)
    }
}

mod what_a_choice_cannot_be {
    use super::*;

    #[derive(Form)]
    struct Size {
        small: bool,
    }

    #[derive(Choice)]
    enum Nothing {
        Something,
    }

    #[derive(Choice)]
    enum Meal {
        Fish,
        #[choice(rename = "Other fish")]
        Meat,
        Soup,
    }

    /// What else is to be known of the soup is a field of the form.
    #[derive(Form)]
    struct Order {
        meal: Meal,
        bowls: u8,
    }
}

mod what_a_form_cannot_be {
    use super::*;

    #[derive(Choice)]
    enum Answer {
        Yes,
        No,
    }

    #[derive(Form)]
    struct Answered {
        answer: Answer,
    }

    #[derive(Form)]
    struct Bits {
        whole: u32,
        half: u16,
    }

    #[derive(Form)]
    struct Name {
        answer: String,
    }

    #[derive(Form)]
    #[form(rename_all = "snake_case", title = "Trip")]
    struct Trip {
        #[form(title = "City")]
        city: String,
        #[form(description = "How many")]
        nights: u8,
        #[form(min = 1)]
        guests: u8,
        #[form(min = 1, max = 9)]
        rooms: u8,
        phone: String,
        note: String,
        #[form(rename = "home")]
        town: String,
    }
}

fn main() {}
