import type { HttpContext } from '@adonisjs/core/http'
import { compressed } from '#foundation/api/http/compress'

const CONTENT_TYPE = 'text/html; charset=utf-8'

/**
 * Sends a page. One that shows a secret is sent uncompressed: its compressed length would reveal
 * something about the secret beside what others may have put into the page.
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
