import type { Readable } from 'node:stream'

/** The answer of a handler; the pipeline turns it into bytes, tags and headers. */
export interface Answer {
  status: number
  /** A JSON value; absent for an empty answer. */
  body?: unknown
  /** Bytes that are not JSON, with their content type. */
  raw?: { bytes: string | Buffer; contentType: string }
  /** Bytes that come by and by, with their content type: they are not kept anywhere. */
  flow?: { bytes: Readable; contentType: string }
  /** A stored file, which is streamed; with a part of it where a part is asked for. */
  file?: StoredFile
  headers?: Record<string, string>
}

/** Reads the answer of a write, once what its action touched is derived. */
export type Answering = () => Promise<Answer>

/** A file on Drive, as it is handed out. */
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
  /** Waited for before its first byte goes out; a download that goes on is none that begins. */
  onBegin?: (userAgent: string | undefined) => Promise<void>
}

/** Headers of an answer with a secret, which is not to be kept anywhere on its way. */
export const NO_STORE = { 'cache-control': 'no-store' }

export const ok = (body: unknown, headers?: Record<string, string>): Answer => ({
  status: 200,
  body,
  headers,
})

/** 201 with the path of what was made. */
export const created = (body: unknown, location: string): Answer => ({
  status: 201,
  body,
  headers: { location },
})

export const accepted = (body: unknown): Answer => ({ status: 202, body })

export const noContent = (): Answer => ({ status: 204 })

/** @param onBegin waited for before the first byte goes out */
export const download = (file: StoredFile, onBegin?: StoredFile['onBegin']): Answer => ({
  status: 200,
  file: onBegin ? { ...file, onBegin } : file,
})
