import type { HttpContext } from '@adonisjs/core/http'
import { refuse } from '#foundation/core/problems/problem'
import { assets } from './assets.js'

const A_YEAR = 365 * 24 * 3600

/** Serves a file that pages link to, compressed if the client accepts it. */
export async function serveAsset({ request, response }: HttpContext): Promise<void> {
  const asset = assets().find(request.url())
  if (!asset) throw refuse('not_found')
  response.header('content-type', asset.contentType)
  response.header('cache-control', `public, max-age=${A_YEAR}, immutable`)
  response.header('x-content-type-options', 'nosniff')
  // Fonts are compressed already.
  if (asset.contentType.startsWith('font/')) return response.send(await asset.bytesIn(null))
  response.header('vary', 'Accept-Encoding')
  const coding = request.encoding(['br', 'gzip'])
  if (coding !== 'br' && coding !== 'gzip') return response.send(await asset.bytesIn(null))
  response.header('content-encoding', coding)
  response.send(await asset.bytesIn(coding))
}
