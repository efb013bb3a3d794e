import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { refuseField } from '../../core/problems/problem.js'
import { spoolStream, type Spool } from '../../core/files/spool.js'
import { receiveUpload } from '../execution/input_of.js'
import type { UploadDeclaration } from '../operation/declaration.js'
import { announcedDigests, demandDigests } from './digests.js'
import { MEDIA_TYPE, plainFileName } from './file_name.js'
import { parseJson, type ReadBody } from './read_body.js'
import { readForm } from './read_form.js'

/**
 * Streams an upload into the spool, checks it and has it received. The file in the spool is
 * gone when this settles; what was stored of it is taken back by `discard`.
 * @throws malformed_multipart, malformed_json, digest_mismatch, too_large, invalid_input,
 * not_stored, and what receiving it throws
 */
export function readUpload<Body>(
  request: IncomingMessage,
  declared: UploadDeclaration<Body>,
  spool: Spool
): Promise<ReadBody> {
  const announced = announcedDigests(request.headers)
  const whole = announced.length > 0 ? createHash('sha256') : null
  return spool.using(async (path) => {
    const form = await readForm(request, {
      maxBytes: declared.maxBytes,
      withData: declared.data !== undefined,
      take: (file) => spoolStream(file, path),
      watch: whole ? (chunk) => whole.update(chunk) : undefined,
    })
    const { size, sha256 } = form.file
    if (size === 0) throw refuseField('/file', 'empty', 'The file is empty.')
    if (whole) demandDigests(announced, [sha256, whole.digest('hex')])
    const contentType = MEDIA_TYPE.test(form.contentType)
      ? form.contentType
      : 'application/octet-stream'
    const fileName = plainFileName(form.fileName)
    const data =
      declared.data && form.data !== undefined
        ? parseJson(Buffer.from(form.data), 'The part "data"')
        : undefined
    const file = { path, size, sha256, contentType, fileName }
    const { body, discard } = await receiveUpload(declared, file, data)
    return {
      value: body,
      sent: [sha256, contentType, fileName ?? '', form.data ?? ''],
      discard,
    }
  })
}
