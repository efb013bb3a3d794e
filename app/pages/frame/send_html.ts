import type { HttpContext } from '@adonisjs/core/http'
import { compressed } from '#foundation/api/http/compress'

const CONTENT_TYPE = 'text/html; charset=utf-8'

/**
 * Sends a page. A page that shows a secret is sent uncompressed: if others can put text into the
 * page, its compressed length would reveal something about the secret.
 */
export async function sendHtml(
  http: HttpContext,
  html: string,
  { isSecret = false }: { isSecret?: boolean } = {}
): Promise<void> {
  const { response } = http
  const bytes = Buffer.from(html)
  response.header('content-type', CONTENT_TYPE)
  response.send(isSecret ? bytes : await compressed(http, CONTENT_TYPE, bytes))
}
