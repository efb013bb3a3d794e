import { createHash } from 'node:crypto'
import {
  ProviderError,
  type NewReviewFile,
  type PluginContext,
  type ReviewFile,
  unless,
  refused,
} from '@tarmac/plugin-kit'
import { includedOf, isMissing, type AppStoreConnect } from './api.js'
import type { Apple } from './operations.js'

/** Most attachments that Apple includes. */
const MAX_INCLUDED = 50

/** Timeout for one part of a file, in milliseconds. */
const PART_MS = 120_000

/** States of a completely uploaded attachment. */
const ARRIVED: readonly (string | undefined)[] = ['UPLOAD_COMPLETE', 'COMPLETE']

interface Attachments {
  /** The id of the details for the review; null if there are none yet. */
  detailId: string | null
  all: Apple.AppStoreReviewAttachment[]
}

async function readAttachments(api: AppStoreConnect, versionId: string): Promise<Attachments> {
  const read = () =>
    api.read('/v1/appStoreVersions/{id}/appStoreReviewDetail', versionId, {
      'include': ['appStoreReviewAttachments'],
      'fields[appStoreReviewAttachments]': ['fileName', 'fileSize', 'assetDeliveryState'],
      'limit[appStoreReviewAttachments]': MAX_INCLUDED,
    })
  const answer = await unless(read(), isMissing)
  // Without details for the review, Apple answers null or 404.
  const detail = answer?.data as Apple.AppStoreReviewDetail | null | undefined
  if (!answer || !detail) return { detailId: null, all: [] }
  const all = [...includedOf(answer, 'appStoreReviewAttachments').values()]
  return { detailId: detail.id, all: all as Apple.AppStoreReviewAttachment[] }
}

/** Lists the files for a version's reviewers, without incomplete uploads: one call. */
export async function listReviewFiles(
  api: AppStoreConnect,
  versionId: string
): Promise<ReviewFile[]> {
  const { all } = await readAttachments(api, versionId)
  return all
    .filter(({ attributes }) => ARRIVED.includes(attributes?.assetDeliveryState?.state))
    .map(fileOf)
}

const fileOf = ({ id, attributes }: Apple.AppStoreReviewAttachment): ReviewFile => ({
  id,
  name: attributes?.fileName ?? '',
  size: attributes?.fileSize ?? 0,
})

/**
 * Uploads a file: reserves it, sends its parts to the given addresses, and commits it. Three calls,
 * one for each part, and one for each earlier incomplete upload of it.
 */
export async function addReviewFile(
  api: AppStoreConnect,
  versionId: string,
  file: NewReviewFile
): Promise<ReviewFile> {
  const { detailId, all } = await readAttachments(api, versionId)
  const same = all.filter(
    ({ attributes }) => attributes?.fileName === file.name && attributes?.fileSize === file.size
  )
  const whole = same.find(({ attributes }) =>
    ARRIVED.includes(attributes?.assetDeliveryState?.state)
  )
  if (whole) return fileOf(whole)
  for (const { id } of same) await removeAttachment(api, id)
  const reserved = await reserve(api, detailId ?? (await makeDetail(api, versionId)), file)
  const checksum = await sendParts(api.ctx, reserved.attributes?.uploadOperations ?? [], file)
  const { data } = await api.onceThere(() =>
    api.change(
      'PATCH /v1/appStoreReviewAttachments/{id}',
      reserved.id,
      {
        data: {
          type: 'appStoreReviewAttachments',
          id: reserved.id,
          attributes: { uploaded: true, sourceFileChecksum: checksum },
        },
      },
      { isRepeatable: true }
    )
  )
  const { state, errors = [] } = data.attributes?.assetDeliveryState ?? {}
  if (state !== 'FAILED') return fileOf(data)
  await removeAttachment(api, reserved.id)
  throw notTaken(file, errors[0]?.description ?? 'it does not say why')
}

const removeAttachment = (api: AppStoreConnect, id: string) =>
  unless(
    api.change('DELETE /v1/appStoreReviewAttachments/{id}', id, undefined),
    ({ code }) => code === 'notFound'
  )

function makeDetail(api: AppStoreConnect, versionId: string): Promise<string> {
  const make = () =>
    api.change('POST /v1/appStoreReviewDetails', null, {
      data: {
        type: 'appStoreReviewDetails',
        relationships: { appStoreVersion: { data: { type: 'appStoreVersions', id: versionId } } },
      },
    })
  return api.madeOnce(
    async () => (await api.onceThere(make)).data.id,
    async () => (await readAttachments(api, versionId)).detailId
  )
}

async function reserve(
  api: AppStoreConnect,
  detailId: string,
  { name, size }: NewReviewFile
): Promise<Apple.AppStoreReviewAttachment> {
  const { data } = await api.onceThere(() =>
    api.change('POST /v1/appStoreReviewAttachments', null, {
      data: {
        type: 'appStoreReviewAttachments',
        attributes: { fileName: name, fileSize: size },
        relationships: {
          appStoreReviewDetail: { data: { type: 'appStoreReviewDetails', id: detailId } },
        },
      },
    })
  )
  return data
}

/** Sends the parts in order. @returns the MD5 of the file, which Apple compares */
async function sendParts(
  ctx: PluginContext,
  operations: readonly Apple.UploadOperation[],
  file: NewReviewFile
): Promise<string> {
  const hash = createHash('md5')
  const inOrder = operations.toSorted((one, other) => (one.offset ?? 0) - (other.offset ?? 0))
  let sent = 0
  for (const operation of inOrder) {
    const { offset = 0, length = 0 } = operation
    const part = await file.read(offset, length)
    if (offset !== sent || part.length !== length) {
      throw notTaken(file, 'its parts do not fit together')
    }
    hash.update(part)
    await sendPart(ctx, operation, part, file)
    sent += length
  }
  if (sent !== file.size) throw notTaken(file, 'its parts do not make up the whole')
  return hash.digest('hex')
}

async function sendPart(
  { fetch }: PluginContext,
  { method = 'PUT', url = '', requestHeaders = [] }: Apple.UploadOperation,
  part: Uint8Array,
  file: NewReviewFile
): Promise<void> {
  const headers = requestHeaders.flatMap(({ name, value }) =>
    name === undefined || value === undefined ? [] : [[name, value] as [string, string]]
  )
  const response = await fetch(url, {
    method,
    headers,
    body: part as Uint8Array<ArrayBuffer>,
    // A repetition writes the same bytes to the same place.
    idempotent: true,
    anonymous: true,
    timeoutMs: PART_MS,
    template: '/{upload}',
  })
  if (response.ok) return
  throw new ProviderError(
    response.status >= 500 ? 'unavailable' : 'invalid',
    `Apple's storage takes no part of ${file.name}: it answers ${response.status}`,
    { outcome: 'notApplied', status: response.status }
  )
}

const notTaken = ({ name }: NewReviewFile, why: string) =>
  refused('invalid', {
    reason: 'fileRefused',
    message: `Apple has not taken the file ${name}: ${why}.`,
    action: 'Whoever releases sends it anew, or adds it in App Store Connect.',
  })
