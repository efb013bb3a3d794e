import { refuse, refuseField } from '../../core/problems/problem.js'
import { checkedData, type Handling } from '../execution/input_of.js'
import { MEDIA_TYPE, plainFileName } from '../http/file_name.js'
import { parseJson } from '../http/read_body.js'
import type { AnyOperation, UploadDeclaration } from '../operation/declaration.js'
import type { AnnouncedFile } from './tables.js'

const SHA256 = /^[0-9a-f]{64}$/i

/**
 * Parses `Upload-Metadata`: `filename`, `filetype`, `sha256` and `data`, which is JSON as in a
 * form. Other members are stored but have no meaning.
 * @param operation the operation that receives the complete file
 * @throws malformed_json, invalid_input, malformed_request
 */
export async function announcedFile(
  metadata: Record<string, string | null>,
  operation: AnyOperation,
  handling: Handling
): Promise<AnnouncedFile> {
  const declared = operation.body as unknown as UploadDeclaration<unknown>
  const { filename, filetype, sha256, data } = metadata
  if (sha256 && !SHA256.test(sha256)) {
    throw refuse('malformed_request', {
      detail: 'sha256 in Upload-Metadata is the SHA-256 of the file in hexadecimal digits.',
    })
  }
  const parsed = data ? parseJson(Buffer.from(data), 'The member "data" of Upload-Metadata') : null
  if (declared.data) {
    await checkedData(operation, declared.data, parsed ?? {}, handling)
  } else if (parsed !== null) {
    throw refuseField('/data', 'unknown', 'This file takes no data.')
  }
  return {
    fileName: plainFileName(filename ?? undefined) ?? null,
    contentType: filetype && MEDIA_TYPE.test(filetype) ? filetype : 'application/octet-stream',
    sha256: sha256?.toLowerCase() ?? null,
    data: parsed,
  }
}
