//! Which requests are let in at all, by their headers: for this host, from an allowed page or from a program, with
//! JSON, and with JSON welcome in return.
//!
//! A browser runs any page's code, and a page's own name can be made to lead to this machine (DNS rebinding), so
//! that its requests look like those of our own pages. The name then stands in `Host`, which is checked where we
//! know our names. Where we do not, a page of the same host is believed over `https`, whose certificate such a name
//! does not have, or if the host is an address, which no name was involved in.

use std::net::IpAddr;

use axum::http::header::{ACCEPT, CONTENT_TYPE, HOST, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri};

/// Which requests are let in.
#[derive(Debug, Clone, Default)]
pub(super) struct Gate {
    origins: Vec<String>,
    hosts: Hosts,
}

/// The names that a server goes by.
#[derive(Debug, Clone, Default)]
enum Hosts {
    #[default]
    Unknown,
    Loopback,
    Only(Vec<String>),
}

type Refusal = (StatusCode, &'static str);

impl Gate {
    pub(super) fn allow_origin(&mut self, origin: String) {
        self.origins.push(origin);
    }

    pub(super) fn only_hosts(&mut self, names: Vec<String>) {
        self.hosts = Hosts::Only(names);
    }

    /// The server listens on a loopback address.
    pub(super) fn is_on_loopback(&mut self) {
        if matches!(self.hosts, Hosts::Unknown) {
            self.hosts = Hosts::Loopback;
        }
    }

    pub(super) fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = host(uri, headers);
        if !self.hosts.include(host.as_deref()) {
            return Err((StatusCode::FORBIDDEN, "this server does not go by that `Host`"));
        }
        let mut origins = headers.get_all(ORIGIN).iter();
        if !origins.all(|origin| origin.to_str().is_ok_and(|origin| self.allows(origin, host.as_deref()))) {
            return Err((StatusCode::FORBIDDEN, "pages of that `Origin` are not served"));
        }
        if !is_json(headers) {
            return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, "`Content-Type` must be application/json"));
        }
        if !accepts_json(headers) {
            return Err((StatusCode::NOT_ACCEPTABLE, "`Accept` must include application/json"));
        }
        Ok(())
    }

    fn allows(&self, origin: &str, host: Option<&str>) -> bool {
        if self.origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin)) {
            return true;
        }
        let Ok(origin) = origin.parse::<Uri>() else { return false };
        let (Some(scheme), Some(name)) = (origin.scheme_str(), origin.host().map(unbracketed)) else {
            return false;
        };
        let is_own = host.is_some_and(|host| host.eq_ignore_ascii_case(name));
        is_loopback(name) || (is_own && (scheme == "https" || is_address(name) || self.hosts.are_known()))
    }
}

impl Hosts {
    fn include(&self, host: Option<&str>) -> bool {
        match self {
            Self::Unknown => true,
            Self::Loopback => host.is_some_and(is_loopback),
            Self::Only(names) => {
                host.is_some_and(|host| names.iter().any(|name| name.eq_ignore_ascii_case(host)))
            }
        }
    }

    const fn are_known(&self) -> bool {
        !matches!(self, Self::Unknown)
    }
}

/// The host's name, without the port. None that is not told, told twice, or malformed.
fn host(uri: &Uri, headers: &HeaderMap) -> Option<String> {
    let mut told = headers.get_all(HOST).iter();
    let authority = match (told.next(), told.next()) {
        (Some(host), None) => host.to_str().ok()?.parse::<Authority>().ok()?,
        (None, _) => uri.authority()?.clone(),
        (Some(_), Some(_)) => return None,
    };
    Some(unbracketed(authority.host()).to_owned())
}

fn unbracketed(host: &str) -> &str {
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
}

fn is_loopback(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

fn is_address(name: &str) -> bool {
    name.parse::<IpAddr>().is_ok()
}

fn is_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    match (types.next(), types.next()) {
        (Some(media), None) => {
            media.to_str().is_ok_and(|media| essence(media).eq_ignore_ascii_case("application/json"))
        }
        _ => false,
    }
}

/// A request that does not say what it accepts accepts anything.
fn accepts_json(headers: &HeaderMap) -> bool {
    let accepted = ["application/json", "application/*", "*/*"];
    let mut ranges = listed(headers, &ACCEPT).peekable();
    ranges.peek().is_none()
        || ranges.any(|range| accepted.iter().any(|media| media.eq_ignore_ascii_case(range)))
}

/// Whether a client that hears of progress can read it: it must say so.
pub(super) fn accepts_events(headers: &HeaderMap) -> bool {
    listed(headers, &ACCEPT).any(|range| range.eq_ignore_ascii_case("text/event-stream"))
}

fn listed<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    headers
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|text| text.split(','))
        .map(essence)
}

/// A media type without its parameters.
fn essence(media: &str) -> &str {
    media.split(';').next().unwrap_or_default().trim()
}
