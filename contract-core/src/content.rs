//! Whether a body claims to be JSON.

/// A body that is not in a form that the library reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContentError {
    /// Its content type is another than JSON.
    #[error("the content type is `{0}`; expected `application/json` in UTF-8, or none")]
    Type(String),
    /// It is compressed, or encoded in another way.
    #[error("the content encoding is `{0}`; expected none")]
    Encoding(String),
}

/// Accepts a body by its content type and encoding.
///
/// Without a content type a body is taken for JSON: many producers set none. `application/json` may
/// carry parameters, as long as a `charset` is UTF-8. As an encoding `identity` says nothing, and
/// `utf-8` is what some clients write there.
pub fn accept_json(
    content_type: Option<&str>,
    content_encoding: Option<&str>,
) -> Result<(), ContentError> {
    if let Some(content_type) = content_type.filter(|content_type| !content_type.trim().is_empty())
    {
        let mut parts = content_type.split(';').map(str::trim);
        let is_json = parts
            .next()
            .is_some_and(|kind| kind.eq_ignore_ascii_case("application/json"));
        let is_utf8 = parts.all(|parameter| match parameter.split_once('=') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("charset") => {
                value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8")
            }
            _ => true,
        });
        if !is_json || !is_utf8 {
            return Err(ContentError::Type(content_type.to_owned()));
        }
    }
    match content_encoding.map(str::trim) {
        None | Some("") => Ok(()),
        Some(it) if it.eq_ignore_ascii_case("identity") || it.eq_ignore_ascii_case("utf-8") => {
            Ok(())
        }
        Some(other) => Err(ContentError::Encoding(other.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_recognised() {
        for content_type in [
            None,
            Some(""),
            Some("application/json"),
            Some("Application/JSON; charset=UTF-8"),
            Some("application/json;version=2; charset=\"utf-8\""),
        ] {
            assert_eq!(accept_json(content_type, None), Ok(()), "{content_type:?}");
        }
        for encoding in ["", "identity", "utf-8", "UTF-8"] {
            assert_eq!(accept_json(None, Some(encoding)), Ok(()));
        }
    }

    #[test]
    fn anything_else_is_said() {
        for content_type in [
            "text/plain",
            "application/json; charset=latin1",
            "application/jsonx",
        ] {
            assert_eq!(
                accept_json(Some(content_type), None),
                Err(ContentError::Type(content_type.into()))
            );
        }
        assert_eq!(
            accept_json(None, Some("gzip")),
            Err(ContentError::Encoding("gzip".into()))
        );
    }
}
