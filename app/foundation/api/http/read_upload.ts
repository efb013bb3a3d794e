import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { refuseField } from '../../core/problems/problem.js'
import { spoolStream, type Spool, type Spooled } from '../../core/files/spool.js'
import { receiveUpload, type Handling } from '../execution/input_of.js'
import type { AnyOperation, ArrivedFile, UploadDeclaration } from '../operation/declaration.js'
import { announcedDigests, requireDigests } from './digests.js'
import { MEDIA_TYPE, plainFileName } from './file_name.js'
import { parseJson, type ReadBody } from './read_body.js'
import { readForm } from './read_form.js'

/** A file part as it was sent. */
interface SentPart {
  file: Spooled
  contentType: string
  fileName: string | undefined
}

/**
 * Streams an upload into the spool, checks it and hands it to the operation. The file in the spool
 * is removed when this settles; `discard` removes what the operation has stored.
 * @throws malformed_multipart, malformed_json, digest_mismatch, too_large, invalid_input,
 * not_stored, and what receiving it throws
 */
export function readUpload(
  request: IncomingMessage,
  operation: AnyOperation,
  spool: Spool,
  handling: Handling
): Promise<ReadBody> {
  const declared = operation.body as unknown as UploadDeclaration<unknown>
  const announced = announcedDigests(request.headers)
  const whole = announced.length > 0 ? createHash('sha256') : null
  return spool.usingSome(declared.mostFiles ?? 1, async (paths) => {
    const form = await readForm(request, {
      maxBytes: declared.maxBytes,
      mostFiles: declared.mostFiles,
      withData: declared.data !== undefined,
      take: (file, index) => spoolStream(file, paths[index]),
      watch: whole ? (chunk) => whole.update(chunk) : undefined,
    })
    const { data: sentData, more: others, ...sent } = form
    if (whole) requireDigests(announced, [sent.file.sha256, whole.digest('hex')])
    const [file, ...more] = [sent, ...others].map((each, index) => arrived(each, paths[index]))
    const data =
      declared.data && sentData !== undefined
        ? parseJson(Buffer.from(sentData), 'The part "data"')
        : undefined
    const { body, discard } = await receiveUpload(
      operation,
      more.length > 0 ? { ...file, more } : file,
      data,
      handling
    )
    return {
      value: body,
      sent: [
        ...[file, ...more].flatMap(({ sha256, contentType, fileName }) => [
          sha256,
          contentType,
          fileName ?? '',
        ]),
        sentData ?? '',
      ],
      discard,
    }
  })
}

/** Describes a file that has arrived. @throws invalid_input for an empty one */
function arrived({ file, ...head }: SentPart, path: string): ArrivedFile {
  const { size, sha256 } = file
  if (size === 0) throw refuseField('/file', 'empty', 'The file is empty.')
  const contentType = MEDIA_TYPE.test(head.contentType)
    ? head.contentType
    : 'application/octet-stream'
  return { path, size, sha256, contentType, fileName: plainFileName(head.fileName) }
}
