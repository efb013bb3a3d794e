import { defineConfig, services } from '@adonisjs/drive'
import env from '#start/env'
import { homePath } from '#start/home'

const bucket = env.get('S3_BUCKET')

// The S3 client is loaded only if it is used.
const s3 =
  env.get('DRIVE_DISK') === 's3' ? (await import('#start/s3_client')).makeS3Client : undefined

const driveConfig = defineConfig({
  default: s3 ? 's3' : 'fs',
  services: {
    fs: services.fs({ location: homePath('files'), serveFiles: false, visibility: 'private' }),
    ...(s3 &&
      bucket && {
        s3: services.s3({
          client: s3({
            region: env.get('AWS_REGION'),
            endpoint: env.get('S3_ENDPOINT'),
            forcePathStyle: env.get('S3_PATH_STYLE'),
          }),
          bucket,
          visibility: 'private',
          // New S3 buckets have no ACLs, and most S3-compatible servers never had them.
          supportsACL: false,
        }),
      }),
  },
})

export default driveConfig

declare module '@adonisjs/drive/types' {
  interface DriveDisks extends InferDriveDisks<typeof driveConfig> {}
}
