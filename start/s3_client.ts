import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'

const CONNECT_MS = 5000

/** Timeout of a part and its answer, in milliseconds. */
const ANSWER_MS = 30_000

/** The default region, for servers without regions. */
const REGION = 'us-east-1'

/**
 * Makes the client of S3. Keys come from the default sources of the AWS SDK: the environment, a
 * file, the role of the machine. A call to an unresponsive server fails after one retry, in bounded
 * time.
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
    // Many S3-compatible servers refuse checksums that they do not know.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...given,
  })
}
