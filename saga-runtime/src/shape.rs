//! The fingerprint of a type's encoding.

pub(crate) fn of<T>() -> u32 {
    let mut hash = 0x811c_9dc5_u32;
    for byte in std::any::type_name::<T>().bytes() {
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    hash
}
