import type { HttpContext } from '@adonisjs/core/http'
import { compressed } from '#foundation/api/http/compress'

const CONTENT_TYPE = 'text/html; charset=utf-8'

/**
 * Sends a page. One that shows a secret goes out as it is: compressed, its length would tell
 * something about it beside what others may have put into the page.
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
