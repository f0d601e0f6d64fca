//! Settings: where they are looked for, what wins, and how a mistake is told.

use crate::harness::Machine;

#[test]
fn the_settings_in_force_and_where_they_come_from() {
    let machine = Machine::new();
    insta::assert_snapshot!(machine.say(&["config"]).1);
    machine.file(".config/owed/config.toml", "color = \"never\"\n[check]\nwindow = \"1m\"\n");
    machine.file(".config/owed/themes/mine.toml", "[roles]\ndim = \"blue\"\n");
    insta::assert_snapshot!(machine.say(&["config"]).1);
}

#[test]
fn the_default_file_may_be_ones_own() {
    let machine = Machine::new();
    let (code, text, _) = machine.say(&["config", "--default"]);
    assert_eq!(code, 0);
    let before = machine.say(&["config"]).1;
    machine.file(".config/owed/config.toml", text);
    let after = machine.say(&["config"]).1;
    // The values are the same; each comes from another place now.
    let values = |text: &str| {
        text.lines().map(|line| line.split("  #").next().unwrap_or_default().trim_end().to_owned()).collect::<Vec<_>>()
    };
    let before = before.replace("not there ~/.config/owed/config.toml", "read      ~/.config/owed/config.toml");
    assert_eq!(values(&before), values(&after));
    assert!(after.contains("# ~/.config/owed/config.toml:") && !after.contains("# built in"), "{after}");
}

#[test]
fn xdg_config_home_is_honoured_where_it_is_absolute() {
    let machine = Machine::new();
    machine.file("elsewhere/owed/config.toml", "color = \"always\"\n");
    let elsewhere = machine.path("elsewhere");
    let said =
        |value: &std::path::Path| machine.homely(&machine.owed(&["config"]).env("XDG_CONFIG_HOME", value).output().unwrap().stdout);
    assert!(said(&elsewhere).contains("color = \"always\""));
    assert!(said("elsewhere".as_ref()).contains("color = \"auto\""));
}

#[test]
fn a_mistake_is_told_with_file_line_and_field() {
    let machine = Machine::new();
    for (text, told) in [
        ("[check]\nwindow = \"big\"\n", "owed: ~/.config/owed/config.toml:2: check.window: `big` is no number of tokens"),
        ("colour = 1\n", "owed: ~/.config/owed/config.toml:1: colour: unknown field `colour`"),
        ("[screen]\n\nfont = 1\n", "owed: ~/.config/owed/config.toml:3: screen.font: unknown field `font`"),
        ("[check\n", "owed: ~/.config/owed/config.toml:1: "),
    ] {
        machine.file(".config/owed/config.toml", text);
        let (code, out, err) = machine.say(&["config"]);
        assert_eq!((code, out.as_str()), (2, ""), "{text}");
        assert!(err.starts_with(told), "{err}");
        assert!(err.contains("owed config --default"), "{err}");
    }
}

#[test]
fn a_settings_file_that_cannot_be_read_is_told() {
    let machine = Machine::new();
    machine.file(".config/owed/config.toml/not-a-file", "");
    let (code, _, err) = machine.say(&["config"]);
    assert_eq!(code, 2);
    assert!(err.starts_with("owed: ~/.config/owed/config.toml cannot be read: "), "{err}");
}

#[test]
fn every_file_of_the_users_is_looked_at() {
    for (name, text, told) in [
        ("effects.toml", "[command.\"git push\"]\nclass = \"nothing\"\n", "effects.toml:2: "),
        ("models.toml", "[model.mine]\nwindow = \"big\"\noutput = 1\n", "models.toml:2: model.mine.window: "),
        ("keys.toml", "[keys]\nno-such-action = [\"x\"]\n", "keys.toml:2: keys.no-such-action: "),
        ("policies/claude-code.toml", "[trigger]\ntokens = \"W -\"\n", "claude-code.toml:2: trigger.tokens: "),
        ("themes/mine.toml", "[roles]\nno-such-role = \"red\"\n", "themes/mine.toml:2: "),
    ] {
        let machine = Machine::new();
        machine.file(&format!(".config/owed/{name}"), text);
        let (code, out, err) = machine.say(&["config"]);
        assert_eq!((code, out.as_str()), (2, ""), "{name}");
        assert!(err.starts_with("owed: ~/.config/owed/") && err.contains(told), "{name}: {err}");
    }
}
