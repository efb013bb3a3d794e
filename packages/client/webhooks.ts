import { Webhook } from 'standardwebhooks'
import type { webhooks } from './generated/openapi.js'

/** An event of the service, by its `eventType`. */
export type WebhookEvent = {
  [Name in keyof webhooks]: webhooks[Name] extends {
    post: { requestBody: { content: { 'application/json': infer Event } } }
  }
    ? Event
    : never
}[keyof webhooks]

/** Headers of a request, by name in any case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>

/** A request that is not signed by the service, or too old. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

const TOLERANCE_S = 5 * 60
const PUBLIC_KEY = 'whpk_'

/**
 * Verifies a request of a webhook by its signature, `v1` or `v1a`, and its age.
 * @param body the bytes as they arrived, as text
 * @param keys the secret of the endpoint (`whsec_…`) or its public key (`whpk_…`); several while one is replaced
 * @throws WebhookError for a request that is not to be believed
 */
export async function verifyWebhook(
  body: string,
  headers: WebhookHeaders,
  keys: string | readonly string[]
): Promise<WebhookEvent> {
  const given = namesInLowerCase(headers)
  for (const key of [keys].flat()) {
    const isSigned = key.startsWith(PUBLIC_KEY)
      ? await isSignedBy(key.slice(PUBLIC_KEY.length), body, given)
      : hasSecret(key, body, given)
    if (isSigned) return JSON.parse(body) as WebhookEvent
  }
  throw new WebhookError('No signature of the request is of a given key, or it is too old.')
}

function namesInLowerCase(headers: WebhookHeaders): Record<string, string> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      typeof value === 'string' ? [[name.toLowerCase(), value]] : []
    )
  )
}

function hasSecret(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false })
    return true
  } catch {
    return false
  }
}

/** Verifies `v1a`, Ed25519, which the library does not know. */
async function isSignedBy(
  publicKey: string,
  body: string,
  headers: Record<string, string>
): Promise<boolean> {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': given } = headers
  if (!id || !given || !/^\d+$/.test(timestamp ?? '')) return false
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_S) return false
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const key = await keyOf(publicKey).catch(() => null)
  if (!key) return false
  for (const each of given.split(' ')) {
    const [version, signature] = each.split(',')
    if (version !== 'v1a' || !signature) continue
    try {
      if (await crypto.subtle.verify('Ed25519', key, bytesOf(signature), content)) return true
    } catch {
      // No base64.
    }
  }
  return false
}

const keyOf = async (publicKey: string) =>
  crypto.subtle.importKey('raw', bytesOf(publicKey), 'Ed25519', false, ['verify'])

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (each) => each.charCodeAt(0))
