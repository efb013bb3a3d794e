import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import vine from '@vinejs/vine'
import { ok } from '../../api/operation/response.js'
import { admin, operation, upload, type UploadedFile } from '../../api/operation/declaration.js'
import { discardFiles, storeFile } from '../../core/files/stored_files.js'
import { newId, randomText } from '../../core/ids.js'
import { unitOfWork } from '../../core/services.js'
import { storedKeys } from '#tests/support/disks'
import { formHeaders } from '#tests/support/form'
import { serveAlone } from '#tests/support/upload_server'
import { makeWorld } from '#tests/support/world'

export const MIB = 1024 * 1024

const bodyData = vine.create({ notes: vine.string().maxLength(20).optional() })

/** Serves a single operation that stores uploads, and records the received files. */
export async function uploadService({
  maxBytes = MIB,
  stores = true,
  transactions = unitOfWork,
  handle = () => {},
}: {
  maxBytes?: number
  stores?: boolean
  transactions?: typeof unitOfWork
  handle?: () => void
} = {}) {
  const world = await makeWorld()
  const prefix = `uploads-test-${randomText(8)}`
  const received: UploadedFile<{ notes?: string }>[] = []
  const declared = operation<string>({
    id: 'uploadForTest',
    method: 'POST',
    path: '/org/{orgId}/upload',
    tag: 'Organization',
    summary: 'Upload for a test',
    description: 'Keeps a file.',
    access: admin,
    body: upload({
      name: 'UploadForTest',
      description: 'A file.',
      maxBytes,
      data: { validator: bodyData, example: {} },
      async receive(file) {
        received.push(file)
        const key = `${prefix}/${newId('file')}`
        if (stores) await storeFile(key, file, file.contentType)
        return { value: key, keys: [key] }
      },
    }),
    responses: { 200: { description: 'Kept.' } },
    async handle({ body }) {
      handle()
      return ok({ key: body })
    },
  })
  const server = await serveAlone(declared, { transactions })
  const send = server.client(world.adminKey)
  /** Returns the keys of the stored files. */
  const stored = () => storedKeys(`${prefix}/`)
  const close = async () => {
    server.close()
    await discardFiles(await stored())
  }
  return { ...server, world, send, stored, received, close }
}

/** Opens a request whose body the test writes itself. */
export function openRequest(base: string, key: string, headers: Record<string, string> = {}) {
  const request = httpRequest(base, {
    method: 'POST',
    headers: { 'x-api-key': key, ...formHeaders, ...headers },
  })
  request.on('error', () => {})
  const answered = once(request, 'response').then(async ([response]) => {
    const chunks: Buffer[] = await response.toArray()
    return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) }
  })
  answered.catch(() => {})
  return { request, answered }
}
