import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { storeUpload, type NewFile } from '../../core/files/stored_files.js'
import { plainFileName } from '../http/file_name.js'
import type { UploadedFile } from '../operation/declaration.js'
import { describedAs, text } from '../operation/input.js'

/** A file that was sent and stored, with its name. */
export interface SentFile {
  file: NewFile
  contentType: string
  fileName: string
}

const NAMELESS = 'file'

/** Stores an uploaded file, before the write that names it. */
export async function receiveFile<Data, Value>(
  { data, ...arrived }: UploadedFile<Data>,
  valueOf: (sent: SentFile, data: Data) => Value
) {
  const stored = await storeUpload(arrived)
  const { contentType, fileName = NAMELESS } = arrived
  return { value: valueOf({ file: stored, contentType, fileName }, data), keys: [stored.key] }
}

/** The data of an additional file. */
export const additionalFileValidator = vine.create({
  fileName: text(255)
    .use(describedAs('Name to store the file under; its own by default.'))
    .optional(),
})
export type AdditionalFileInput = Infer<typeof additionalFileValidator>

/** Stores an uploaded file that the request may rename. */
export const receiveAdditionalFile = (arrived: UploadedFile<AdditionalFileInput>) =>
  receiveFile(arrived, (sent, { fileName }) => ({
    ...sent,
    fileName: plainFileName(fileName) ?? sent.fileName,
  }))

const file = { contentType: 'application/octet-stream' }

/** The responses of an operation that returns a file, or a part of it. */
export const fileAnswers = {
  200: { description: 'The file.', ...file },
  206: { description: 'The requested range of the file.', ...file },
}
