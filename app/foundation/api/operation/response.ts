import type { Readable } from 'node:stream'

/** The response of a handler; the pipeline turns it into bytes, tags and headers. */
export interface OperationResponse {
  status: number
  /** A JSON value; absent for an empty response. */
  body?: unknown
  /** Bytes that are not JSON, with their content type. */
  raw?: { bytes: string | Buffer; contentType: string }
  /** A stream of bytes with its content type; it must not be cached. */
  stream?: { bytes: Readable; contentType: string }
  /** A stored file, which is streamed, whole or in the requested part. */
  file?: StoredFile
  headers?: Record<string, string>
}

/** Reads the response of a write after the derivation. */
export type ResponseReader = () => Promise<OperationResponse>

/** A file on Drive, as it is sent. */
export interface StoredFile {
  /** The key in Drive. */
  key: string
  /** In bytes. */
  size: number
  /** In hexadecimal digits. */
  sha256: string
  contentType: string
  /** The name under which a browser saves it. */
  fileName: string
  /** Awaited before the first byte is sent; not called for a resumed download. */
  onBegin?: (userAgent: string | undefined) => Promise<void>
}

/** Headers of a response with a secret, which nobody may cache. */
export const NO_STORE = { 'cache-control': 'no-store' }

export const ok = (body: unknown, headers?: Record<string, string>): OperationResponse => ({
  status: 200,
  body,
  headers,
})

/** Returns 201 with the path of the created entity. */
export const created = (body: unknown, location: string): OperationResponse => ({
  status: 201,
  body,
  headers: { location },
})

export const accepted = (body: unknown): OperationResponse => ({ status: 202, body })

export const noContent = (): OperationResponse => ({ status: 204 })

/** @param onBegin awaited before the first byte is sent */
export const download = (file: StoredFile, onBegin?: StoredFile['onBegin']): OperationResponse => ({
  status: 200,
  file: onBegin ? { ...file, onBegin } : file,
})
