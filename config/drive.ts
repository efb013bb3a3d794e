import { defineConfig, services } from '@adonisjs/drive'
import env from '#start/env'
import { homePath } from '#start/home'

const bucket = env.get('S3_BUCKET')

// Only users of S3 load its client.
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
          // Buckets of today have none, and most that speak as S3 does never had.
          supportsACL: false,
        }),
      }),
  },
})

export default driveConfig

declare module '@adonisjs/drive/types' {
  interface DriveDisks extends InferDriveDisks<typeof driveConfig> {}
}
