import type { Static } from '@sinclair/typebox'
import { count, entity, id, instant, nonEmpty, nullable } from '../../core/schemas.js'
import type { UploadRow } from './upload_rows.js'

export const ResumableUpload = entity('ResumableUpload', 'A file uploaded in several requests.', {
  id: id('Id of the upload.'),
  fileName: nullable(nonEmpty('Name of the file; null if none was stated.', 255)),
  length: count('Size of the whole file, in bytes.'),
  offset: count(
    'Number of bytes received. The last byte counts once the resulting resource exists.'
  ),
  location: nullable(nonEmpty('Path of the resulting resource; null until finished.', 1000)),
  createdAt: instant('When it began, in UTC.'),
  expiresAt: instant('When it is removed if unfinished, in UTC.'),
  finishedAt: nullable(instant('When it was finished, in UTC; null before.')),
})
export type ResumableUpload = Static<typeof ResumableUpload>

export const exampleUpload: ResumableUpload = {
  id: 'upload_5tQr2VbM2wXy7TtZr9Kd',
  fileName: 'Acme.ipa',
  length: 88_080_384,
  offset: 25_165_824,
  location: null,
  createdAt: '2026-11-20T18:50:14.123Z',
  expiresAt: '2026-11-22T18:50:14.123Z',
  finishedAt: null,
}

export function uploadEntity(row: UploadRow, offset: number): ResumableUpload {
  const { id: uploadId, file, length, location, createdAt, expiresAt, finishedAt } = row
  const { fileName } = file
  return {
    id: uploadId,
    fileName,
    length,
    offset,
    location,
    createdAt,
    expiresAt,
    finishedAt,
  }
}
