//! Settings from flags, variables and the file.

use super::*;

/// The settings of these flags, these variables and this file.
fn settings(flags: &[(&str, &str)], variables: &[(&str, &str)], file: &str) -> Result<Settings, String> {
    let look = |list: &[(&str, &str)], name: &str| {
        list.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned())
    };
    let mut given = Given::default();
    given.add_file("g.toml", file)?;
    let above = Given::collect(|s| look(flags, &s.flag()), |name| look(variables, name), None)?;
    given.0.extend(above.0);
    given.settings()
}

#[test]
fn every_default_is_allowed() {
    let settings = settings(&[], &[], "").unwrap();
    assert_eq!(settings.listen, "127.0.0.1:8420".parse().unwrap());
    assert_eq!(settings.database, Database::Sqlite("./guildhall-data/guildhall.db".into()));
    assert_eq!(settings.rate_limit, Some(RateLimit { per_hour: 5000, anonymous_per_hour: 60 }));
    assert_eq!(settings.abuse_limit, AbuseLimit { per_minute: 80, per_hour: 500 });
    let (audit_days, facts_days, deliveries_days, dead_letters_days) = (365, 30, 30, 90);
    let retention = Retention { audit_days, facts_days, deliveries_days, dead_letters_days };
    assert_eq!(settings.retention, retention);
    assert_eq!(settings.deliveries, Deliveries { retry_seconds: 5, retry_days: 3 });
    assert_eq!(settings.memory, Memory { in_flight: 192 << 20, bodies: 64 << 20, per_client: 8 << 20 });
    assert_eq!((settings.tls, settings.public_url, settings.metrics_listen), (None, None, None));
}

#[test]
fn each_way_to_sign_in_can_be_switched_off() {
    let provider = "public_url = \"https://teams.example.org\"\n[signin.oidc]\nissuer = \"https://id.example/a/\"\n\
                    client_id = \"guildhall\"\nclient_secret_file = \"secret\"";
    for (methods, by_mail, at_provider) in
        [("mail", true, false), ("provider", false, true), ("provider, mail", true, true)]
    {
        let signin = |file| settings(&[("signin-methods", methods)], &[], file).unwrap().signin;
        assert_eq!((signin(provider).by_mail, signin(provider).provider.is_some()), (by_mail, at_provider));
        assert_eq!((signin("").by_mail, signin("").provider), (by_mail, None));
    }
    let provider = settings(&[], &[], provider).unwrap().signin.provider.unwrap();
    assert_eq!(provider.issuer, "https://id.example/a/");
    assert_eq!(provider.redirect_uri, "https://teams.example.org/login/provider/callback");
    assert!(!provider.creates && !provider.trusts_email);
}

#[test]
fn a_provider_needs_all_of_its_settings_and_a_way_back() {
    let issuer = ("signin-oidc-issuer", "https://id.example");
    let all = [issuer, ("signin-oidc-client-id", "g"), ("signin-oidc-client-secret-file", "s")];
    for some in [&all[..1], &all[1..], &all[..2]] {
        assert!(settings(some, &[], "").unwrap_err().starts_with("set all of `signin.oidc.issuer`"));
    }
    assert!(settings(&all, &[], "").unwrap_err().contains("`public_url` is not"));
    assert!(settings(&all, &[("GUILDHALL_PUBLIC_URL", "https://a.example")], "").is_ok());
}

#[test]
fn people_make_accounts_by_domain_or_all_or_none() {
    let domains = |text| settings(&[("signin-signup", text)], &[], "").unwrap().signup_domains;
    assert_eq!(settings(&[], &[], "").unwrap().signup_domains, Some(Vec::new()));
    assert_eq!((domains("invited"), domains("anyone")), (Some(Vec::new()), None));
    let wanted = Some(vec!["Example.org".to_owned(), "ex\u{e4}mple.org".to_owned()]);
    assert_eq!(domains("Example.org, ex\u{e4}mple.org"), wanted);
}

#[test]
fn a_flag_comes_before_the_environment_and_the_environment_before_the_file() {
    let file = "[invitations]\nexpire_days = 3";
    let variable = [("GUILDHALL_INVITATIONS_EXPIRE_DAYS", "4")];
    let days = |flags: &[_], variables: &[_]| settings(flags, variables, file).unwrap().invitation_days;
    assert_eq!(days(&[], &[]), 3);
    assert_eq!(days(&[], &variable), 4);
    assert_eq!(days(&[("invitations-expire-days", "5")], &variable), 5);
    assert_eq!(days(&[], &[("GUILDHALL_INVITATIONS_EXPIRE_DAYS", "")]), 3);
}

#[test]
fn a_wrong_value_names_its_place_and_what_is_allowed() {
    for (name, wrong) in [
        ("listen", "8420"),
        ("database", "mysql://x"),
        ("public_url", "teams.example.org"),
        ("public_url", "https://a?b"),
        ("trusted_proxies", "10.0.0.0/33"),
        ("log.format", "xml"),
        ("signin.methods", "password"),
        ("signin.oidc.issuer", "http://id.example"),
        ("signin.oidc.accounts", "all"),
        ("signin.oidc.trust_email", "yes"),
        ("log.level", "loud"),
        ("metrics.listen", "x"),
        ("http.connections_per_address", "0"),
        ("rate_limit.enabled", "yes"),
        ("rate_limit.per_hour", "0"),
        ("abuse_limit.per_minute", "0"),
        ("signin.methods", ""),
        ("signin.methods", "mail,password"),
        ("signin.signup", ""),
        ("signin.signup", "everyone"),
        ("signin.signup", "example.org,"),
        ("signin.signup", "@example.org"),
        ("invitations.expire_days", "-1"),
        ("audit.retention_days", "0"),
        ("compat.partial_team_update", "1"),
        ("compat.enterprise_version", "3.14"),
        ("compat.enterprise_version", "3.14.x"),
        ("compat.enterprise_version", "3..0"),
        ("postgres.connections", "1"),
        ("postgres.connections", "501"),
        ("tokens.prefix", "ghp"),
        ("smtp.url", "http://mail"),
        ("smtp.from", "nobody"),
        ("mail.keep_days", "0"),
        ("mail.max_mib", "0"),
    ] {
        let error = settings(&[], &[], &format!("{name} = \"{wrong}\"")).unwrap_err();
        assert!(error.starts_with(&format!("g.toml:1: {name}: ")), "{error}");
        assert!(error.contains("; use "), "{error}");
        assert_eq!(error.contains(wrong), !["database", "smtp.url"].contains(&name), "{error}");
    }
    assert!(settings(&[("database", "sqlite:")], &[], "").unwrap_err().starts_with("--database: "));
}

#[test]
fn values_are_read_as_they_are_meant() {
    let file = "database = \"postgresql://u@h/n\"\npublic_url = \"https://t.example/\"\n\
                trusted_proxies = [\"10.0.0.0/8\", \"::1\"]\ntokens.prefix = \"acme_\"\n\
                rate_limit.enabled = false\ntls = { certificate = \"c\", key = \"k\" }";
    let settings = settings(&[], &[], file).unwrap();
    assert_eq!(settings.database, Database::Postgres("postgresql://u@h/n".into()));
    assert_eq!(settings.public_url.as_deref(), Some("https://t.example"));
    assert_eq!(settings.trusted_proxies, ["10.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()]);
    assert_eq!((settings.rate_limit, settings.token_prefix.as_str()), (None, "acme_"));
    assert_eq!(settings.tls, Some(Tls { certificate: "c".into(), key: "k".into() }));
}

#[test]
fn a_certificate_needs_its_key() {
    assert!(settings(&[("tls-certificate", "c")], &[], "").unwrap_err().contains("`tls.key` is not"));
    assert!(settings(&[("tls-key", "k")], &[], "").unwrap_err().contains("`tls.certificate` is not"));
}

#[test]
fn names_are_the_same_everywhere() {
    let setting = table::find("rate_limit.anonymous_per_hour").unwrap();
    assert_eq!(setting.flag(), "rate-limit-anonymous-per-hour");
    assert_eq!(setting.variable(), "GUILDHALL_RATE_LIMIT_ANONYMOUS_PER_HOUR");
}
