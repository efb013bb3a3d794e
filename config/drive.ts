import { defineConfig, services } from '@adonisjs/drive'
import { homePath } from '#start/home'

const driveConfig = defineConfig({
  default: 'fs',
  services: {
    fs: services.fs({ location: homePath('files'), serveFiles: false, visibility: 'private' }),
  },
})

export default driveConfig

declare module '@adonisjs/drive/types' {
  interface DriveDisks extends InferDriveDisks<typeof driveConfig> {}
}
