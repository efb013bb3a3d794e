import type { HttpContext } from '@adonisjs/core/http'
import { readBody } from '#foundation/api/http/read_body'
import { refuse } from '#foundation/core/problems/problem'

/** The most bytes of such a form, with all of its files. */
const MAX_BYTES = 1024 * 1024

/**
 * Reads a form with small files. Each file becomes text under the name of its field, and nothing is
 * written to disk. A file field without a file is absent.
 * @throws too_large, malformed_multipart, and what `readBody` throws
 */
export async function readFormWithFiles({ request }: HttpContext): Promise<void> {
  const bytes = await readBody(request.request, MAX_BYTES)
  const headers = { 'content-type': request.header('content-type')! }
  const form = await new Response(new Uint8Array(bytes), { headers }).formData().catch(() => {
    throw refuse('malformed_multipart', { detail: 'The form could not be read.' })
  })
  const fields = new Map<string, string[]>()
  for (const [name, given] of form) {
    const value = typeof given === 'string' ? given : await given.text()
    if (typeof given !== 'string' && value === '') continue
    const values = fields.get(name)
    if (values) values.push(value)
    else fields.set(name, [value])
  }
  request.setInitialBody(
    Object.fromEntries(
      [...fields].map(([name, values]) => [name, values.length > 1 ? values : values[0]])
    )
  )
}
