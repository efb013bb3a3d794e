export interface FilePart {
  file: Buffer | string
  /** Name of the part. */
  field?: string
  fileName?: string
  contentType?: string
}

const BOUNDARY = 'tarmac-test-boundary'

/** Returns the bytes before those of a file part. */
export function fileHead({ field = 'file', fileName = 'a.bin', contentType }: Partial<FilePart>) {
  const type = contentType ?? 'application/octet-stream'
  return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${field}"; filename="${fileName}"\r\ncontent-type: ${type}\r\n\r\n`
}

const dataPart = (data: string) =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="data"\r\n\r\n${data}\r\n`

export const FORM_END = `\r\n--${BOUNDARY}--\r\n`
export const formHeaders = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

/** Returns a multipart body with a file and, if given, a text as the part `data`. */
export function form(part: FilePart, data?: string, { dataLast = false } = {}) {
  const file = Buffer.concat([Buffer.from(fileHead(part)), Buffer.from(part.file)])
  const text = data === undefined ? '' : dataPart(data)
  const parts = dataLast
    ? [file, Buffer.from(`\r\n${text.slice(0, -2)}`)]
    : [Buffer.from(text), file]
  return { raw: Buffer.concat([...parts, Buffer.from(FORM_END)]), headers: formHeaders }
}
