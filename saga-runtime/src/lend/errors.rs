//! Errors of the standard library, which do not serialize: what they say travels, and the same error is made of it.

use std::char::ParseCharError;
use std::fmt;
use std::io::{self, ErrorKind};
use std::num::{NonZeroU8, ParseFloatError, ParseIntError, TryFromIntError};
use std::str::ParseBoolError;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::Lends;
use crate::error::{Told, texts};

/// An error of which there are few values, told apart by their places among them.
pub trait OneOfFew: Clone + PartialEq + 'static {
    /// The name of its type.
    const NAME: &'static str;

    /// All of them, the newest last.
    fn all() -> Vec<Self>;
}

macro_rules! one_of_few {
    ($($error:ident: $($made:expr),+;)+) => {$(
        impl OneOfFew for $error {
            const NAME: &'static str = stringify!($error);

            fn all() -> Vec<Self> {
                [$($made.err()),+].into_iter().flatten().collect()
            }
        }

        impl<'s> Lends<'s> for $error {
            type Home = Few<Self>;
            type Again<'h>
                = Self
            where
                's: 'h;

            fn home(&self) -> Few<Self> {
                Few(self.clone())
            }

            fn lend<'h>(home: &'h Few<Self>) -> Self
            where
                's: 'h,
            {
                home.0.clone()
            }
        }
    )+};
}

one_of_few! {
    ParseBoolError: "".parse::<bool>();
    ParseCharError: "".parse::<char>(), "ab".parse::<char>();
    ParseFloatError: "".parse::<f32>(), "x".parse::<f32>();
    ParseIntError: "".parse::<u8>(), "x".parse::<u8>(), "256".parse::<u8>(), "-129".parse::<i8>(), "0".parse::<NonZeroU8>();
    TryFromIntError: u8::try_from(256_u16);
}

/// One of few errors, on its way.
#[derive(Debug)]
pub struct Few<E>(E);

impl<E: OneOfFew> Serialize for Few<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let place = E::all().iter().position(|error| *error == self.0);
        let place = place.and_then(|place| u8::try_from(place).ok());
        let place = place.ok_or_else(|| serde::ser::Error::custom("an error that is not known"))?;
        serializer.serialize_newtype_struct(E::NAME, &place)
    }
}

impl<'de, E: OneOfFew> Deserialize<'de> for Few<E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Place;

        impl<'de> de::Visitor<'de> for Place {
            type Value = u8;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an error's place")
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<u8, D::Error> {
                u8::deserialize(deserializer)
            }
        }

        let place = deserializer.deserialize_newtype_struct(E::NAME, Place)?;
        let error = E::all().into_iter().nth(place.into());
        error.map(Self).ok_or_else(|| de::Error::custom("an error that is not known"))
    }
}

impl<'s> Lends<'s> for fmt::Error {
    type Home = ();
    type Again<'h>
        = Self
    where
        's: 'h;

    fn home(&self) {}

    fn lend<'h>((): &'h ()) -> Self
    where
        's: 'h,
    {
        Self
    }
}

/// What an [`io::Error`] says.
#[derive(Debug, Serialize, Deserialize)]
pub struct Io {
    /// The operating system's code, which says everything.
    code: Option<i32>,
    /// The kind's name.
    kind: String,
    /// What is said beside the kind, and its causes.
    texts: Vec<String>,
}

impl<'s> Lends<'s> for io::Error {
    type Home = Io;
    type Again<'h>
        = Self
    where
        's: 'h;

    fn home(&self) -> Io {
        let texts = match self.get_ref() {
            Some(inner) => texts(Some(inner)),
            None if self.to_string() == self.kind().to_string() => Vec::new(),
            None => vec![self.to_string()],
        };
        Io { code: self.raw_os_error(), kind: format!("{:?}", self.kind()), texts }
    }

    fn lend<'h>(home: &'h Io) -> Self
    where
        's: 'h,
    {
        if let Some(code) = home.code {
            return Self::from_raw_os_error(code);
        }
        let kind =
            KINDS.into_iter().find(|kind| format!("{kind:?}") == home.kind).unwrap_or(ErrorKind::Other);
        match &home.texts[..] {
            [text] => Self::new(kind, text.clone()),
            texts => Told::of(texts.to_vec()).map_or_else(|| kind.into(), |told| Self::new(kind, told)),
        }
    }
}

/// The kinds that have stable names.
const KINDS: [ErrorKind; 39] = [
    ErrorKind::AddrInUse,
    ErrorKind::AddrNotAvailable,
    ErrorKind::AlreadyExists,
    ErrorKind::ArgumentListTooLong,
    ErrorKind::BrokenPipe,
    ErrorKind::ConnectionAborted,
    ErrorKind::ConnectionRefused,
    ErrorKind::ConnectionReset,
    ErrorKind::CrossesDevices,
    ErrorKind::Deadlock,
    ErrorKind::DirectoryNotEmpty,
    ErrorKind::ExecutableFileBusy,
    ErrorKind::FileTooLarge,
    ErrorKind::HostUnreachable,
    ErrorKind::Interrupted,
    ErrorKind::InvalidData,
    ErrorKind::InvalidFilename,
    ErrorKind::InvalidInput,
    ErrorKind::IsADirectory,
    ErrorKind::NetworkDown,
    ErrorKind::NetworkUnreachable,
    ErrorKind::NotADirectory,
    ErrorKind::NotConnected,
    ErrorKind::NotFound,
    ErrorKind::NotSeekable,
    ErrorKind::OutOfMemory,
    ErrorKind::PermissionDenied,
    ErrorKind::QuotaExceeded,
    ErrorKind::ReadOnlyFilesystem,
    ErrorKind::ResourceBusy,
    ErrorKind::StaleNetworkFileHandle,
    ErrorKind::StorageFull,
    ErrorKind::TimedOut,
    ErrorKind::TooManyLinks,
    ErrorKind::UnexpectedEof,
    ErrorKind::Unsupported,
    ErrorKind::WouldBlock,
    ErrorKind::WriteZero,
    ErrorKind::Other,
];

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::*;

    fn again<E>(error: &E) -> E
    where
        E: for<'h> Lends<'static, Home: Serialize + for<'de> Deserialize<'de>, Again<'h> = E>,
    {
        let bytes = postcard::to_allocvec(&error.home()).expect("it travels");
        E::lend(&postcard::from_bytes(&bytes).expect("it is read"))
    }

    #[test]
    fn the_same_errors() {
        for error in ParseIntError::all() {
            assert_eq!(again(&error), error);
        }
        for error in ParseFloatError::all() {
            assert_eq!(again(&error), error);
        }
        for error in ParseCharError::all() {
            assert_eq!(again(&error), error);
        }
        assert_eq!(ParseIntError::all().len(), 5);
        assert_eq!(ParseFloatError::all().len(), 2);
        assert_eq!(ParseCharError::all().len(), 2);
        assert_eq!(ParseBoolError::all().iter().map(again).collect::<Vec<_>>(), ParseBoolError::all());
        assert_eq!(TryFromIntError::all().iter().map(again).collect::<Vec<_>>(), TryFromIntError::all());
    }

    #[test]
    fn what_is_no_such_error_is_refused() {
        assert!(postcard::from_bytes::<Few<ParseIntError>>(&[5]).is_err());
        assert!(postcard::from_bytes::<Few<ParseBoolError>>(&[0]).is_ok());
    }

    #[derive(Debug)]
    struct Around(fmt::Error);

    impl fmt::Display for Around {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("around")
        }
    }

    impl Error for Around {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }

    #[test]
    fn errors_of_files() {
        let said = |error: &io::Error| (error.kind(), error.to_string(), format!("{error:?}"));
        let missing = std::fs::read("/nowhere").expect_err("it is not there");
        let short = io::Read::read_exact(&mut io::empty(), &mut [0]).expect_err("it is empty");
        let plain = [
            missing,
            ErrorKind::TimedOut.into(),
            io::Error::new(ErrorKind::InvalidData, "bad"),
            io::Error::other("odd"),
        ];
        for error in &plain {
            assert_eq!(said(&again(error)), said(error));
        }
        let came = again(&short);
        assert_eq!((came.kind(), came.to_string()), (short.kind(), short.to_string()));
        let came = again(&io::Error::new(ErrorKind::NotFound, Around(fmt::Error)));
        assert_eq!((came.kind(), came.to_string()), (ErrorKind::NotFound, "around".to_owned()));
        let inner = came.get_ref().expect("what it is around");
        assert_eq!(inner.source().map(ToString::to_string), Some(fmt::Error.to_string()));
        for kind in KINDS {
            assert_eq!(again(&io::Error::from(kind)).kind(), kind);
        }
    }
}
