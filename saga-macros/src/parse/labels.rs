//! A label that hides another of its name gets a name of its own: the rest of an iteration and the loop after it leave by
//! names that are made of the label's, so that there must be but one of it.

use proc_macro2::{Group, TokenStream, TokenTree};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Ident, Label, Macro};

use super::macros;

/// A block in which no label hides another.
pub(super) fn distinct(mut block: Block) -> Block {
    Labels { around: Vec::new() }.visit_block_mut(&mut block);
    block
}

struct Labels {
    /// The labels around, innermost last: as each is written, and as it is called.
    around: Vec<(String, String)>,
}

impl Labels {
    fn within(&mut self, label: &mut Option<Label>, visit: impl FnOnce(&mut Self)) {
        let Some(label) = label else { return visit(self) };
        let written = label.name.ident.to_string();
        let is_taken = |name: &String| self.around.iter().any(|(_, called)| called == name);
        let others = (2..).map(|number| format!("{written}_{number}"));
        let called = std::iter::once(written.clone()).chain(others).find(|name| !is_taken(name));
        self.around.push((written, called.expect("there are more numbers than labels")));
        self.rename(&mut label.name.ident);
        visit(self);
        self.around.pop();
    }

    fn rename(&self, label: &mut Ident) {
        if let Some((_, called)) = self.around.iter().rev().find(|(written, _)| label == written) {
            *label = Ident::new(called, label.span());
        }
    }

    /// The tokens of a macro of which nothing is known: `leave!('a)`.
    fn renamed(&self, tokens: TokenStream) -> TokenStream {
        let mut is_label = false;
        let renamed = tokens.into_iter().map(|mut token| {
            let after_apostrophe = is_label;
            is_label = false;
            match &mut token {
                TokenTree::Group(group) => {
                    let mut inside = Group::new(group.delimiter(), self.renamed(group.stream()));
                    inside.set_span(group.span());
                    *group = inside;
                }
                TokenTree::Ident(name) if after_apostrophe => self.rename(name),
                TokenTree::Punct(punct) => is_label = punct.as_char() == '\'',
                TokenTree::Ident(_) | TokenTree::Literal(_) => {}
            }
            token
        });
        renamed.collect()
    }
}

impl VisitMut for Labels {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Block(block) => {
                let Block { stmts, .. } = &mut block.block;
                self.within(&mut block.label, |labels| {
                    for statement in stmts {
                        labels.visit_stmt_mut(statement);
                    }
                });
            }
            Expr::Loop(expr) => self.within(&mut expr.label, |labels| labels.visit_block_mut(&mut expr.body)),
            Expr::While(expr) => {
                let (condition, body) = (&mut expr.cond, &mut expr.body);
                self.within(&mut expr.label, |labels| {
                    labels.visit_expr_mut(condition);
                    labels.visit_block_mut(body);
                });
            }
            Expr::ForLoop(expr) => {
                self.visit_expr_mut(&mut expr.expr);
                self.within(&mut expr.label, |labels| labels.visit_block_mut(&mut expr.body));
            }
            other => visit_mut::visit_expr_mut(self, other),
        }
    }

    fn visit_expr_break_mut(&mut self, jump: &mut syn::ExprBreak) {
        jump.label.iter_mut().for_each(|label| self.rename(&mut label.ident));
        visit_mut::visit_expr_break_mut(self, jump);
    }

    fn visit_expr_continue_mut(&mut self, jump: &mut syn::ExprContinue) {
        jump.label.iter_mut().for_each(|label| self.rename(&mut label.ident));
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        if self.around.is_empty() {
            return;
        }
        if macros::arguments(mac).is_some() {
            let words = ["break", "continue", "for", "loop", "while"];
            macros::for_each_argument_mut(mac, &words, |argument| self.visit_expr_mut(argument));
        } else {
            mac.tokens = self.renamed(mac.tokens.clone());
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

#[cfg(test)]
mod tests {
    use quote::{ToTokens, quote};

    use super::*;

    #[track_caller]
    fn check(written: &TokenStream, expected: &TokenStream) {
        let block = syn::parse2(written.clone()).expect("a block");
        assert_eq!(distinct(block).to_token_stream().to_string(), expected.to_string());
    }

    #[test]
    fn a_label_that_hides_none_stays() {
        let written = quote!({
            'a: loop {
                'b: for i in 'a: {
                    break 'a;
                } {
                    continue 'a;
                }
            }
            'a: loop {
                break 'a;
            }
        });
        let expected = quote!({
            'a: loop {
                'b: for i in 'a_2: {
                    break 'a_2;
                } {
                    continue 'a;
                }
            }
            'a: loop {
                break 'a;
            }
        });
        check(&written, &expected);
    }

    #[test]
    fn one_that_hides_others_is_told_apart() {
        check(
            &quote!({
                'a: loop {
                    'a: while break 'a {
                        'a: {
                            break 'a 1;
                        }
                        break 'a;
                    }
                    'a_2: loop {
                        break 'a;
                    }
                }
            }),
            &quote!({
                'a: loop {
                    'a_2: while break 'a_2 {
                        'a_3: {
                            break 'a_3 1;
                        }
                        break 'a_2;
                    }
                    'a_2: loop {
                        break 'a;
                    }
                }
            }),
        );
    }

    #[test]
    fn also_in_macros() {
        check(
            &quote!({
                'a: loop {
                    'a: loop {
                        leave!('a, ['a]);
                        format!("{}", 'a: { break 'a });
                    }
                    leave!('a)
                }
            }),
            &quote!({
                'a: loop {
                    'a_2: loop {
                        leave!('a_2, ['a_2]);
                        format!("{}", 'a_3: { break 'a_3 });
                    }
                    leave!('a)
                }
            }),
        );
    }
}
