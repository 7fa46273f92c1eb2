//! What sealing and opening a token costs, beside the bare cipher on the same bytes.
//!
//! ```text
//! cd tests/bench && cargo run --release --bin token
//! ```

use base64::Engine;
use base64::engine::Simd;
use base64::engine::general_purpose::NO_PAD;
use chacha20poly1305::aead::AeadInOut;
use chacha20poly1305::{ChaCha20Poly1305, KeyInit};
use saga_bench::{Figures, Subject, measure};
use saga_runtime::clock::{Clock, Entropy, EntropyError, SystemClock, SystemEntropy};
use saga_runtime::token::{Binding, Claims, KeyRing, Limits, Sealer, arguments_digest};

const STATE: usize = 256;
/// Claims and state, up to a multiple of 64.
const PADDED: usize = (36 + STATE).next_multiple_of(64);
const HEADER: usize = 53;
const NONCE: [u8; 12] = [7; 12];

/// Random bytes without the system call, to show what that costs.
struct NoSystemCall;

impl Entropy for NoSystemCall {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        bytes.fill(7);
        Ok(())
    }
}

fn main() {
    let sealer = Sealer::new("bench", KeyRing::ephemeral().expect("a key")).expect("a sealer");
    let binding = Binding {
        dialect: "mcp/2026-07-28",
        method: "tools/call",
        tool: "deploy",
        principal: Some(b"https://issuer.example|client|alice"),
        arguments: [9; 32],
    };
    let limits = Limits::default();
    let state = [5; STATE];
    let now = SystemClock.now();
    let claims = Claims::first(now, Claims::DEFAULT_TTL, [3; 16]);
    let seal = |entropy: &dyn Entropy| {
        sealer.seal(&binding, &claims, &state, &limits, entropy, &SystemClock).expect("a token")
    };
    let token = seal(&SystemEntropy);
    let elsewhere = Binding { principal: Some(b"mallory"), ..binding };
    let mut altered = token.clone();
    altered.replace_range(300..301, if &token[300..301] == "A" { "B" } else { "A" });

    let arguments = serde_json::json!({
        "service": "web", "regions": ["eu-west-1", "us-east-1"], "replicas": 3, "dry_run": false,
        "note": "the release that fixes the login page",
    });
    let arguments = arguments.as_object().expect("an object");

    let cipher = ChaCha20Poly1305::new(&[1; 32].into());
    let header = [2; HEADER];
    let plaintext = [4; PADDED];
    let mut ciphertext = plaintext;
    let tag = cipher
        .encrypt_inout_detached(&NONCE.into(), &header, ciphertext.as_mut_slice().into())
        .expect("a ciphertext");
    let base64 = Simd::url_safe(NO_PAD);
    let bytes = base64.decode(&token[4..]).expect("base64");

    let mut subjects = [
        Subject::new("cipher alone, seal", || {
            let mut buffer = plaintext;
            cipher.encrypt_inout_detached(&NONCE.into(), &header, buffer.as_mut_slice().into()).map(drop)
        }),
        Subject::new("cipher alone, open", || {
            let mut buffer = ciphertext;
            cipher.decrypt_inout_detached(&NONCE.into(), &header, buffer.as_mut_slice().into(), &tag)
        }),
        Subject::new("base64 alone, encode", || base64.encode(&bytes)),
        Subject::new("base64 alone, decode", || base64.decode(&token[4..])),
        Subject::new("24 random bytes alone", || {
            let mut random = [0; 24];
            getrandom::fill(&mut random).map(|()| random)
        }),
        Subject::new("token, seal", || seal(&SystemEntropy)),
        Subject::new("token, seal without the system call", || seal(&NoSystemCall)),
        Subject::new("token, open", || sealer.open(&token, &binding, &limits, now)),
        Subject::new("token, refuse another principal", || sealer.open(&token, &elsewhere, &limits, now)),
        Subject::new("arguments digest", || arguments_digest(arguments)),
        Subject::new("token, refuse an altered one", || sealer.open(&altered, &binding, &limits, now)),
    ];
    let figures = measure(&mut subjects, 300, 300);
    let [cipher_seal, cipher_open, encode, decode, random, ..] = figures[..] else { unreachable!() };

    println!(
        "a state of {STATE} bytes, {PADDED} with claims and padding, a token of {} characters",
        token.len()
    );
    println!("Poly1305: {}\n", backend());
    println!("{:<38} {:>8} {:>8}   of the cipher alone", "ns", "fastest", "median");
    for (subject, figures) in subjects.iter().zip(&figures) {
        let base = if subject.name().contains("seal") { cipher_seal } else { cipher_open };
        print!("{:<38} {:>8.0} {:>8.0}", subject.name(), figures.fastest, figures.median);
        println!("   {:.2} {:.2}", figures.fastest / base.fastest, figures.median / base.median);
    }
    let floor_seal = sum(&[cipher_seal, encode, random]);
    let floor_open = sum(&[cipher_open, decode]);
    println!("\nseal / (cipher + base64 + random bytes) = {:.2}", figures[5].fastest / floor_seal);
    println!("open / (cipher + base64)                = {:.2}", figures[7].fastest / floor_open);
}

fn sum(figures: &[Figures]) -> f64 {
    figures.iter().map(|figures| figures.fastest).sum()
}

fn backend() -> &'static str {
    if cfg!(poly1305_backend = "soft") {
        "portable (`--cfg poly1305_backend=\"soft\"`)"
    } else {
        "chosen at run time; in tests/bench, its .cargo/config.toml sets the portable one"
    }
}
