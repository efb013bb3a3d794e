import {
  open,
  operation,
  type Access,
  type AnyOperation,
  type Wire,
  type WireDeclaration,
} from '../operation/declaration.js'
import { headerParameters, IGNORED_FIELDS } from '../openapi/parameters.js'
import { lazyController } from '../operation/lazy_controller.js'
import { exampleUpload, ResumableUpload } from './entity.js'
import type { ResumableKind } from './resumable_uploads.js'
import { TUS_VERSION } from './tus_version.js'
import { oneStep, twoSteps } from '../operation/steps.js'

/** A kind of resumable upload, with what its operations need. */
interface ResumableOperations extends ResumableKind {
  /** The end of the operation ids: `BucketUpload`. */
  name: string
  tag: string
  /** The uploaded thing with its article: `a build`. */
  what: string
  /** Path of the uploads of one place, as in an operation. */
  path: string
  /** As for the plain form. */
  access: Access
  /** As for the plain form. */
  events: readonly string[]
  /** Maximum size of a file, in bytes. */
  maxBytes: number
}

const CONTENT_TYPE = 'application/offset+octet-stream'
const EXTENSIONS = 'creation,creation-with-upload,expiration,termination'

const requestHeaders = {
  version: { 'Tus-Resumable': `Protocol version: ${TUS_VERSION}.` },
  length: { 'Upload-Length': 'Size of the whole file, in bytes.' },
  metadata: {
    'Upload-Metadata':
      '`filename`, `filetype`, `sha256` (hexadecimal) and `data` (JSON, as the part `data` of the plain form), each with a base64 value.',
  },
  offset: { 'Upload-Offset': 'Where the bytes start: the number received so far.' },
  prefer: { Prefer: headerParameters.prefer.description },
}

const answerHeaders = {
  version: requestHeaders.version,
  offset: { 'Upload-Offset': 'Number of bytes received.' },
  expires: { 'Upload-Expires': 'When an unfinished upload is removed.' },
  result: { 'Content-Location': 'Path of the resulting resource, once complete.' },
  ignored: { 'Ignored-Fields': IGNORED_FIELDS },
}

const version = { 'tus-resumable': TUS_VERSION }

/**
 * Returns the operations of tus 1.0, by which the file of another operation arrives in several
 * requests: describe the protocol, begin, get the offset, continue, cancel.
 */
export function resumableOperations(declared: ResumableOperations): AnyOperation[] {
  const { name, tag, what, path, access, events, maxBytes } = declared
  const uploads = lazyController(
    async () => new (await import('./resumable_uploads.js')).ResumableUploads(declared)
  )
  const one = `${path}/{uploadId}`
  const common = { tag, beyond: true }
  const content: WireDeclaration['content'] = {
    contentType: CONTENT_TYPE,
    description: 'Bytes of the file, any number of them.',
    maxBytes,
  }
  const wire = (
    headers: Record<string, string>,
    example: Record<string, string>,
    bytes?: WireDeclaration['content']
  ): WireDeclaration => ({
    kind: 'wire',
    headers: { ...requestHeaders.version, ...headers },
    example: { ...version, ...example },
    content: bytes,
  })
  return [
    operation({
      ...common,
      id: `describe${name}s`,
      method: 'OPTIONS',
      path,
      summary: `Ask how ${what} can be uploaded in parts`,
      description: 'Returns the tus versions and extensions supported, and the maximum file size.',
      access: open,
      responses: {
        204: {
          description: 'Supported protocol.',
          headers: {
            'Tus-Version': 'Supported protocol versions.',
            'Tus-Extension': 'Supported extensions.',
            'Tus-Max-Size': 'Maximum file size in bytes.',
          },
        },
      },
      handle: async () => ({
        status: 204,
        headers: {
          'tus-version': TUS_VERSION,
          ...version,
          'tus-extension': EXTENSIONS,
          'tus-max-size': String(maxBytes),
        },
      }),
    }),
    operation<Wire>({
      ...common,
      id: `create${name}`,
      steps: oneStep('begins to add a file'),
      method: 'POST',
      path,
      summary: `Begin to upload ${what} in parts`,
      description:
        'Begins an upload that can be resumed after a connection breaks (tus 1.0, creation and creation-with-upload). It must be finished within 48 hours; an organization can have at most 20 unfinished ones. Access and limits are those of the plain form.',
      access,
      apart: true,
      body: wire(
        { ...requestHeaders.length, ...requestHeaders.metadata, ...requestHeaders.prefer },
        { 'upload-length': '9', 'upload-metadata': 'filename QWNtZS5pcGE=' },
        content
      ),
      responses: {
        201: {
          description: 'The upload has begun; send its bytes to `Location`.',
          headers: {
            ...answerHeaders.version,
            ...answerHeaders.offset,
            ...answerHeaders.expires,
            ...answerHeaders.ignored,
          },
        },
      },
      errors: [409, 412],
      events,
      handle: (call) => uploads.handle(call),
    }),
    operation<Wire>({
      ...common,
      id: `get${name}`,
      method: 'GET',
      path: one,
      summary: `Get the progress of an upload`,
      description:
        'HEAD responds as tus 1.0 defines, with `Upload-Offset`, and ends a running request of the upload; GET returns the same as JSON and interrupts nothing.',
      access,
      body: wire({}, {}),
      responses: {
        200: {
          description: 'Progress of the upload.',
          schema: ResumableUpload,
          example: exampleUpload,
          headers: {
            ...answerHeaders.version,
            ...answerHeaders.offset,
            'Upload-Length': 'Size of the whole file, in bytes.',
          },
        },
      },
      errors: [400, 409, 410, 412],
      handle: (call) => (call.body.method === 'HEAD' ? uploads.handle(call) : uploads.show(call)),
    }),
    operation<Wire>({
      ...common,
      id: `continue${name}`,
      steps: oneStep('continues to add a file'),
      method: 'PATCH',
      path: one,
      summary: `Continue to upload ${what}`,
      description:
        'Sends bytes from `Upload-Offset` on. The last one creates what the plain form would have created, named by `Content-Location`; if this fails, send the last byte again.',
      access,
      apart: true,
      body: wire(requestHeaders.offset, { 'upload-offset': '0' }, content),
      responses: {
        204: {
          description: 'The bytes were received.',
          headers: { ...answerHeaders.version, ...answerHeaders.offset, ...answerHeaders.result },
        },
      },
      errors: [409, 410, 412],
      events,
      handle: (call) => uploads.handle(call),
    }),
    operation<Wire>({
      ...common,
      id: `cancel${name}`,
      steps: twoSteps('destroys what has arrived'),
      method: 'DELETE',
      path: one,
      summary: `Cancel an upload`,
      description: 'Deletes the received bytes (tus 1.0, termination); what they became is kept.',
      access,
      apart: true,
      body: wire({}, {}),
      responses: { 204: { description: 'Deleted.', headers: answerHeaders.version } },
      errors: [410, 412],
      handle: (call) => uploads.handle(call),
    }),
  ]
}
