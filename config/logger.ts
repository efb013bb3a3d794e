import { defineConfig } from '@adonisjs/core/logger'
import env from '#start/env'

export default defineConfig({
  default: 'app',
  loggers: {
    app: {
      enabled: true,
      name: 'tarmac',
      level: env.get('LOG_LEVEL') ?? 'warn',
      // Standard output is for the results of console commands.
      destination: process.stderr,
      redact: { paths: ['*.apiKey', '*.secret', '*.authorization', '*["x-api-key"]'] },
    },
  },
})
