import { existsSync, readdirSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { uploads } from '#config/uploads'
import type { Api } from '#tests/support/api'

export const tus = { 'tus-resumable': '1.0.0' }
export const base64 = (text: string) => Buffer.from(text).toString('base64')
export const metadataOf = (members: Record<string, string>) =>
  Object.entries(members)
    .map(([name, value]) => `${name} ${base64(value)}`)
    .join(',')

export function begin(
  api: Api,
  path: string,
  length: number,
  metadata: Record<string, string> = {}
) {
  const described: Record<string, string> =
    Object.keys(metadata).length > 0 ? { 'upload-metadata': metadataOf(metadata) } : {}
  const headers = { ...tus, 'upload-length': String(length), ...described }
  return api.post(`${path}/uploads`, undefined, { headers })
}

export function send(api: Api, at: string, offset: number, bytes: Buffer | string, headers = {}) {
  return api.patch(at, undefined, {
    raw: bytes,
    headers: {
      ...tus,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      ...headers,
    },
  })
}

export const offsetOf = async (api: Api, at: string) =>
  (await api.head(at, { headers: tus })).headers['upload-offset']

/** Opens a request for the rest of an upload; the caller writes its bytes. */
export function openPatch(key: string, at: string, offset: number, length: number) {
  const request = httpRequest(`http://127.0.0.1:${process.env.PORT}${at}`, {
    method: 'PATCH',
    headers: {
      ...tus,
      'x-api-key': key,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      'content-length': String(length - offset),
    },
  })
  request.on('error', () => {})
  return request
}

/** Waits until the service has received an upload up to an offset. */
export const waitForOffset = async (api: Api, at: string, offset: number) => {
  while ((await api.get(at)).body.offset < offset);
}

/** Returns the names of the files of unfinished uploads. */
export const parts = () => (existsSync(uploads.parts) ? readdirSync(uploads.parts) : [])
