import { createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT, type JWTPayload } from 'jose'
import { refusedToken } from './refusals.js'

/**
 * Signs a JSON Web Token.
 * @param privateKey PEM, as the vendors hand it out: PKCS#8 (Apple, Google) or PKCS#1 (GitHub)
 * @throws ProviderError `unauthorized` when the key does not fit the algorithm
 */
export async function sign(
  { alg, keyId }: { alg: 'ES256' | 'RS256'; keyId?: string },
  privateKey: string,
  claims: JWTPayload
): Promise<string> {
  const header = { alg, typ: 'JWT', ...(keyId === undefined ? {} : { kid: keyId }) }
  try {
    return await new SignJWT(claims).setProtectedHeader(header).sign(keyOf(privateKey))
  } catch {
    // The message of crypto may quote the key.
    throw refusedToken(`The private key cannot sign ${alg}`)
  }
}

/** Keys from environment variables and forms often have `\n` written out instead of line breaks. */
function keyOf(pem: string): KeyObject {
  return createPrivateKey(pem.includes('\n') ? pem : pem.replaceAll('\\n', '\n'))
}
