import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import config from '@adonisjs/core/services/config'

/** Signs texts for URLs that grant access to anybody who has them, without storing a secret. */
export class SignedTexts {
  #key: Buffer | undefined

  /** @param purpose separates keys: signatures made for another purpose are invalid */
  constructor(private readonly purpose: string) {}

  /** Returns the signature of a text: 128 bits in 22 characters. */
  sign(use: string, text: string): string {
    this.#key ??= Buffer.from(
      hkdfSync('sha256', config.get<string>('app.appKey'), '', this.purpose, 32)
    )
    const tag = createHmac('sha256', this.#key).update(`${use}\n${text}`).digest()
    return tag.subarray(0, 16).toString('base64url')
  }

  isSigned(use: string, text: string, tag: string): boolean {
    return timingSafeEqual(Buffer.from(this.sign(use, text)), Buffer.from(tag))
  }
}

/** An id without its prefix (20 digits of base 62), and a signature. */
const TOKEN_FORM = /^([0-9A-Za-z]{20})([\w-]{22})$/

/** Tokens for pages of rows: derived from the row's id, so that they can be shown again. */
export class SignedIds {
  /** @param prefix the beginning of the ids, with its underscore */
  constructor(
    private readonly signed: SignedTexts,
    private readonly prefix: string
  ) {}

  tokenOf(id: string): string {
    const digits = id.slice(this.prefix.length)
    return digits + this.signed.sign('page', digits)
  }

  /** Returns the id in a token; null if this service did not make the token. */
  idOf(token: string): string | null {
    const [, digits, tag] = TOKEN_FORM.exec(token) ?? []
    return digits !== undefined && this.signed.isSigned('page', digits, tag)
      ? this.prefix + digits
      : null
  }
}
