//! What an AMQP URL says, read by ourselves: no text of an error or a `Debug` holds the password.

use std::fmt;
use std::net::Ipv6Addr;
use std::time::Duration;

use lapin::uri::{AMQPAuthority, AMQPQueryString, AMQPScheme, AMQPUri, AMQPUserInfo};

use super::credentials::Credentials;

/// Where a broker is and as whom to enter it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Address {
    tls: bool,
    host: String,
    port: u16,
    user: String,
    password: String,
    vhost: String,
    heartbeat: Option<u16>,
    connect_timeout: Option<Duration>,
}

/// What a URL means where it is cut short.
const DEFAULT_USER: &str = "guest";
const DEFAULT_VHOST: &str = "/";

impl Address {
    /// Reads `amqp[s]://[user[:password]@]host[:port][/vhost][?heartbeat=seconds&connection_timeout=ms]`.
    ///
    /// The reason of a refusal quotes nothing of the URL: whatever is misplaced in it may be part
    /// of a password.
    pub(crate) fn parse(url: &str) -> Result<Self, String> {
        let (scheme, rest) = url
            .trim()
            .split_once("://")
            .ok_or("it does not start with `amqp://` or `amqps://`")?;
        let tls = match scheme.to_ascii_lowercase().as_str() {
            "amqp" => false,
            "amqps" => true,
            _ => return Err("it does not start with `amqp://` or `amqps://`".into()),
        };
        if rest.contains('#') {
            return Err("it holds a `#`: write `%23`".into());
        }
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) => (rest, Some(query)),
            None => (rest, None),
        };
        let (authority, path) = match rest.split_once('/') {
            Some((authority, path)) => (authority, Some(path)),
            None => (rest, None),
        };
        if path.is_some_and(|path| path.contains('@')) || query.is_some_and(|q| q.contains('@')) {
            return Err(
                "an `@` stands behind the host: in a user or password write `%2f` for `/`, `%3f` \
                 for `?`, and `%40` for `@`"
                    .into(),
            );
        }
        let (userinfo, host_and_port) = match authority.rsplit_once('@') {
            Some((userinfo, host)) => (Some(userinfo), host),
            None => (None, authority),
        };
        let (user, password) = credentials(userinfo)?;
        let (host, port) = host_and_port_of(host_and_port, if tls { 5671 } else { 5672 })?;
        let mut address = Self {
            tls,
            host,
            port,
            user,
            password,
            vhost: vhost(path)?,
            heartbeat: None,
            connect_timeout: None,
        };
        for pair in query.into_iter().flat_map(|query| query.split('&')) {
            address.set(pair)?;
        }
        Ok(address)
    }

    fn set(&mut self, pair: &str) -> Result<(), String> {
        let number = |value: &str| value.parse::<u64>().ok();
        match pair.split_once('=') {
            Some(("heartbeat", seconds)) => {
                let seconds = number(seconds).and_then(|number| u16::try_from(number).ok());
                self.heartbeat = Some(seconds.ok_or("`heartbeat` is not a number of seconds")?);
            }
            Some(("connection_timeout", millis)) => {
                let millis = number(millis).filter(|number| *number > 0);
                let millis =
                    millis.ok_or("`connection_timeout` is not a number of milliseconds")?;
                self.connect_timeout = Some(Duration::from_millis(millis));
            }
            _ => {
                return Err(
                    "its query may hold `heartbeat` (seconds) and `connection_timeout` \
                     (milliseconds), nothing else"
                        .into(),
                );
            }
        }
        Ok(())
    }

    pub(crate) fn is_tls(&self) -> bool {
        self.tls
    }

    pub(crate) fn user(&self) -> &str {
        &self.user
    }

    pub(crate) fn vhost(&self) -> &str {
        &self.vhost
    }

    /// As the URL says, or as whoever was asked does.
    pub(super) fn entered_as(&self, credentials: Option<&Credentials>) -> Self {
        let mut address = self.clone();
        if let Some(credentials) = credentials {
            credentials.user().clone_into(&mut address.user);
            credentials.password().clone_into(&mut address.password);
        }
        address
    }

    pub(crate) fn connect_timeout(&self) -> Option<Duration> {
        self.connect_timeout
    }

    /// What lapin takes. Its own parser is never asked: it turns `[::1]` into `localhost`, takes
    /// any text for a number's error, and quotes the password where it fails.
    pub(crate) fn uri(&self, heartbeat: Option<u16>) -> AMQPUri {
        AMQPUri {
            scheme: if self.tls {
                AMQPScheme::AMQPS
            } else {
                AMQPScheme::AMQP
            },
            authority: AMQPAuthority {
                userinfo: AMQPUserInfo {
                    username: self.user.clone(),
                    password: self.password.clone(),
                },
                host: self.host.clone(),
                port: self.port,
            },
            vhost: self.vhost.clone(),
            query: AMQPQueryString {
                heartbeat: self.heartbeat.or(heartbeat),
                ..AMQPQueryString::default()
            },
        }
    }
}

/// `host:port`, as messages to people name a broker.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Address")
            .field("tls", &self.tls)
            .field("host", &self.host)
            .field("port", &self.port)
            .field("user", &self.user)
            .field("vhost", &self.vhost)
            .finish_non_exhaustive()
    }
}

fn credentials(userinfo: Option<&str>) -> Result<(String, String), String> {
    let Some(userinfo) = userinfo else {
        return Ok((DEFAULT_USER.into(), DEFAULT_USER.into()));
    };
    let (user, password) = match userinfo.split_once(':') {
        Some((user, password)) => (user, password),
        None => (userinfo, ""),
    };
    if user.is_empty() {
        return Err("it has a password but no user".into());
    }
    let decode = |text| percent_decode(text, "the user or the password");
    Ok((decode(user)?, decode(password)?))
}

fn host_and_port_of(text: &str, default_port: u16) -> Result<(String, u16), String> {
    let (host, port) = if let Some(bracketed) = text.strip_prefix('[') {
        let (host, rest) = bracketed
            .split_once(']')
            .ok_or("the `[` of an IPv6 address is not closed")?;
        if host.parse::<Ipv6Addr>().is_err() {
            return Err("what stands in `[]` is not an IPv6 address".into());
        }
        let port = match rest {
            "" => None,
            rest => Some(
                rest.strip_prefix(':')
                    .ok_or("something stands between the host and the port")?,
            ),
        };
        (host.to_owned(), port)
    } else {
        match text.split_once(':') {
            Some((_, port)) if port.contains(':') => {
                return Err(
                    "an IPv6 address stands in `[]`; in a password write `%3a` for `:`".into(),
                );
            }
            Some((host, port)) => (percent_decode(host, "the host")?, Some(port)),
            None => (percent_decode(text, "the host")?, None),
        }
    };
    if host.is_empty() {
        return Err("it names no host".into());
    }
    let port = match port {
        None | Some("") => default_port,
        Some(port) => match port.parse() {
            Ok(port) if port > 0 => port,
            _ => {
                return Err(
                    "the port is not a number from 1 to 65535; in a password write `%2f` for `/`"
                        .into(),
                );
            }
        },
    };
    Ok((host, port))
}

fn vhost(path: Option<&str>) -> Result<String, String> {
    let vhost = match path {
        None => return Ok(DEFAULT_VHOST.into()),
        // What the AMQP URI specification says, and nobody means.
        Some("") => {
            return Err(
                "it ends in `/`, which names the virtual host with the empty name: leave the `/` \
                 out, or write `/%2f`, for the default one"
                    .into(),
            );
        }
        Some(path) if path.contains('/') => {
            return Err(
                "the virtual host holds a `/`: write `%2f` (`/%2f` is the default one)".into(),
            );
        }
        Some(path) => percent_decode(path, "the virtual host")?,
    };
    if vhost.len() > 255 {
        return Err("the virtual host has more than 255 bytes".into());
    }
    Ok(vhost)
}

fn percent_decode(text: &str, what: &str) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || {
            rest.next()
                .and_then(|digit| char::from(digit).to_digit(16))
                .and_then(|digit| u8::try_from(digit).ok())
        };
        match (digit(), digit()) {
            (Some(high), Some(low)) => bytes.push(high << 4 | low),
            _ => {
                return Err(format!(
                    "{what} holds a `%` without two hexadecimal digits behind it: write `%25`"
                ));
            }
        }
    }
    String::from_utf8(bytes).map_err(|_| format!("{what} is not UTF-8 once decoded"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(url: &str) -> Address {
        Address::parse(url).unwrap()
    }

    #[test]
    fn what_is_left_out_is_the_default() {
        let address = parse("amqp://localhost");
        assert_eq!(address.to_string(), "localhost:5672");
        assert_eq!((address.user(), address.vhost()), ("guest", "/"));
        assert_eq!(address.password, "guest");
        assert_eq!(parse("amqps://h").to_string(), "h:5671");
        assert_eq!(parse("amqp://h:").port, 5672);
        // As a file or a shell leaves it.
        assert_eq!(parse(" amqp://h/v\n").vhost(), "v");
    }

    #[test]
    fn everything_is_percent_decoded() {
        let address = parse("AMQP://us%65r:p%2f%40%3A@host:1234/a%2fb");
        assert_eq!(address.user(), "user");
        assert_eq!(address.password, "p/@:");
        assert_eq!(address.vhost(), "a/b");
        assert_eq!(address.to_string(), "host:1234");
        assert_eq!(parse("amqp://h/%2f").vhost(), "/");
        assert_eq!(parse("amqp://u:p:q@h/v").password, "p:q");
        // An `@` in a password is unambiguous as long as no `/` or `?` stands before it.
        assert_eq!(parse("amqp://u:p@ss@h/v").password, "p@ss");
    }

    #[test]
    fn ipv6_stays_what_it_is() {
        let address = parse("amqp://u:p@[::1]:5673/v");
        assert_eq!(address.host, "::1");
        assert_eq!(address.to_string(), "[::1]:5673");
        assert_eq!(address.uri(None).authority.host, "::1");
        assert_eq!(parse("amqp://[fe80::2]").to_string(), "[fe80::2]:5672");
    }

    #[test]
    fn the_query_is_read_or_refused() {
        let address = parse("amqp://h?heartbeat=7&connection_timeout=1500");
        assert_eq!(address.uri(Some(60)).query.heartbeat, Some(7));
        assert_eq!(address.connect_timeout(), Some(Duration::from_millis(1500)));
        for url in [
            "amqp://h?heartbeat=-1",
            "amqp://h?heartbeat=70000",
            "amqp://h?connection_timeout=0",
            "amqp://h?frame_max=1",
            "amqp://h?",
        ] {
            assert!(Address::parse(url).is_err(), "{url}");
        }
    }

    #[test]
    fn the_empty_vhost_is_refused_with_a_way_out() {
        let reason = Address::parse("amqp://h/").unwrap_err();
        assert!(reason.contains("%2f"), "{reason}");
        assert!(Address::parse("amqp://h//").unwrap_err().contains("%2f"));
        let long = format!("amqp://h/{}", "v".repeat(256));
        assert!(Address::parse(&long).is_err());
    }

    #[test]
    fn no_refusal_quotes_the_url() {
        for url in [
            "sesame",
            "http://u:sesame@h",
            "amqp://u:sesame",
            "amqp://u:sesame/x@h",
            "amqp://u:12/sesame@h",
            "amqp://u:12?sesame@h",
            "amqp://u:sesame#x@h",
            "amqp://u:sesame%zz@h",
            "amqp://u:%ffsesame@h",
            "amqp://:sesame@h",
            "amqp://u:p@h:sesame",
            "amqp://u:p@[sesame]",
            "amqp://u:p@[::1",
            "amqp://u:p@[::1]sesame",
            "amqp://u:p@a:b:sesame",
            "amqp://u:p@",
            "amqp://u:p@h?sesame=1",
            "amqp://u:p@h?heartbeat=sesame",
        ] {
            let reason = Address::parse(url).unwrap_err();
            assert!(!reason.contains("sesame"), "{url}: {reason}");
        }
    }

    #[test]
    fn a_debug_holds_no_password() {
        let address = parse("amqp://user:sesame@h/v?heartbeat=3");
        let shown = format!("{address:?} {address}");
        assert!(!shown.contains("sesame"), "{shown}");
        assert!(shown.contains("user"), "{shown}");
    }
}
