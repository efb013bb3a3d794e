import type { Encryption } from '@adonisjs/core/encryption'

/**
 * Encrypts secrets at rest and binds them to their owner, so that a value copied to another row
 * cannot be decrypted. Each kind of secret has its own encrypter (`config/encryption.ts`).
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

  /** Returns a one-way hash that is equal for equal values of one kind. */
  fingerprint(kind: string, value: string): string {
    return this.encryption.blindIndex(value, kind)
  }
}
