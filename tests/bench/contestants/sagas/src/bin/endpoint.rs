//! Saga's own endpoint: `endpoint ADDRESS [REDIS]`. Keys come from `SAGA_KEYS`, where several share them.

use saga_runtime::guard::RedisGuard;
use saga_runtime::serve::http;
use saga_runtime::token::KeyRing;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().ok_or("the address to serve at")?.parse()?;
    let mut builder = sagas::builder();
    if std::env::var_os("SAGA_KEYS").is_some() {
        builder = builder.keys(KeyRing::from_env("SAGA_KEYS")?);
    }
    if let Some(redis) = arguments.next() {
        builder = builder.guard(RedisGuard::new(&redis)?);
    }
    Ok(http::serve(builder.build()?, address).await?)
}
