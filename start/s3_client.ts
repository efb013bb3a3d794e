import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'

const CONNECT_MS = 5000

/** Timeout of a part and its answer, in milliseconds. */
const ANSWER_MS = 30_000

/** The region of those who know none. */
const REGION = 'us-east-1'

/**
 * What speaks to S3. Keys come from where the SDK of AWS looks for them: the environment, a
 * file, the role of the machine. What does not answer fails in bounded time, after one new try.
 */
export function makeS3Client({ region = REGION, ...given }: S3ClientConfig): S3Client {
  return new S3Client({
    region,
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
    },
    // Many that speak as S3 does refuse checksums that they do not know.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...given,
  })
}
