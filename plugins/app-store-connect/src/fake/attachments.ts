import { createHash, randomUUID } from 'node:crypto'
import { duplicate, notFound, Refusal, unknownRelation, type JsonApiRequest } from './json_api.js'
import type { FakeAttachment, FakeVersion, World } from './world.js'
import { relatedVersion } from './versions.js'

/*
 * Files for a version's reviewers: reserved, uploaded in parts to another host, and committed.
 */

/** The host that takes the parts, without authentication. */
export const STORAGE = 'store-001.blobstore.apple.com'

export function createDetail(
  world: World,
  request: JsonApiRequest,
  now: number
): NonNullable<FakeVersion['detail']> {
  const version = relatedVersion(world, request, now)
  if (version.detail) {
    throw new Refusal(409, duplicate('The version has details for its review.', '/data'))
  }
  version.detail = { id: randomUUID(), attachments: [] }
  return version.detail
}

/** Reserves a file, and returns the addresses for its parts. */
export function reserve(
  world: World,
  request: JsonApiRequest
): { attachment: FakeAttachment; operations: unknown[] } {
  const id = request.related('appStoreReviewDetail') ?? ''
  const detail = world.versions.map((each) => each.detail).find((each) => each?.id === id)
  if (!detail) throw unknownRelation('appStoreReviewDetails', id)
  const attachment: FakeAttachment = {
    id: randomUUID(),
    name: request.text('fileName'),
    size: Number(request.attributes.fileSize),
    state: 'AWAITING_UPLOAD',
    parts: new Map(),
  }
  detail.attachments.push(attachment)
  const { partBytes } = world.settings
  const count = Math.max(1, Math.ceil(attachment.size / partBytes))
  const operations = Array.from({ length: count }, (_, index) => {
    const offset = index * partBytes
    return {
      method: 'PUT',
      url: `https://${STORAGE}/parts/${attachment.id}/${offset}?signature=${randomUUID()}`,
      offset,
      length: Math.min(partBytes, attachment.size - offset),
      requestHeaders: [{ name: 'Content-Type', value: 'application/octet-stream' }],
    }
  })
  // Apple does not promise an order of the parts.
  return { attachment, operations: operations.toReversed() }
}

const find = ({ versions }: World, id: string) =>
  versions.flatMap(({ detail }) => detail?.attachments ?? []).find((each) => each.id === id)

/** Takes a part as Apple's storage does: at a signed address, and it must not get a token. */
export async function storePart(world: World, request: Request): Promise<Response> {
  const [, id = '', offset = ''] =
    /^\/parts\/([^/]+)\/(\d+)$/.exec(new URL(request.url).pathname) ?? []
  const attachment = find(world, id)
  const isFine = attachment !== undefined && !request.headers.has('authorization')
  if (!isFine || request.method !== 'PUT') return new Response('<Error/>', { status: 403 })
  const bytes = new Uint8Array(await request.arrayBuffer())
  attachment.parts.set(Number(offset), world.settings.spoilsParts ? bytes.map(() => 0) : bytes)
  return new Response(null, { status: 200 })
}

/** Commits a file: compares the uploaded bytes with the checksum. */
export function commit(world: World, request: JsonApiRequest): FakeAttachment {
  const attachment = find(world, request.params[0])
  if (!attachment) throw notFound('appStoreReviewAttachments', request.params[0])
  if (request.attributes.uploaded !== true) return attachment
  const parts = [...attachment.parts].sort(([one], [other]) => one - other)
  const bytes = Buffer.concat(parts.map(([, part]) => part))
  const checksum = createHash('md5').update(bytes).digest('hex')
  const isWhole = bytes.length === attachment.size
  const isSame = checksum === request.attributes.sourceFileChecksum
  attachment.state = isWhole && isSame ? 'UPLOAD_COMPLETE' : 'FAILED'
  return attachment
}

export function removeAttachment({ versions }: World, request: JsonApiRequest): void {
  const [id] = request.params
  const detail = versions
    .map((each) => each.detail)
    .find((each) => each?.attachments.some((attachment) => attachment.id === id))
  if (!detail) throw notFound('appStoreReviewAttachments', id)
  detail.attachments = detail.attachments.filter((each) => each.id !== id)
}
