import type { Encryption } from '@adonisjs/core/encryption'

/**
 * Secrets at rest: encrypted, and bound to their owner, so that a value moved to another
 * row does not open. Each kind of secret has an encrypter of its own (`config/encryption.ts`).
 */
export class SecretBox {
  constructor(
    private readonly encryption: Pick<Encryption, 'encrypt' | 'decrypt' | 'blindIndex'>
  ) {}

  seal(owner: string, value: unknown): string {
    return this.encryption.encrypt(value, { purpose: owner })
  }

  /** Decrypts a value that was sealed for the owner; null if this key cannot read it. */
  open<Value>(owner: string, sealed: string): Value | null {
    return this.encryption.decrypt<Value>(sealed, owner)
  }

  /** Equal for equal values of one kind, and no way back to them. */
  fingerprint(kind: string, value: string): string {
    return this.encryption.blindIndex(value, kind)
  }
}
