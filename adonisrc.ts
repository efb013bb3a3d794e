import { defineConfig } from '@adonisjs/core/app'

export default defineConfig({
  // Only our own: migrations run by themselves, and nobody should wipe a database by a typo.
  commands: [() => import('#start/commands')],
  providers: [
    () => import('@adonisjs/core/providers/app_provider'),
    () => import('@adonisjs/core/providers/vinejs_provider'),
    () => import('@adonisjs/lucid/database_provider'),
    () => import('#providers/redis_provider'),
    () => import('@adonisjs/limiter/limiter_provider'),
    () => import('@adonisjs/drive/drive_provider'),
    () => import('#providers/foundation_provider'),
    () => import('#providers/integrations_provider'),
    () => import('#providers/webhooks_provider'),
    () => import('#providers/first_start_provider'),
    () => import('#providers/work_provider'),
  ],
  preloads: [() => import('#start/kernel'), () => import('#start/routes')],
  tests: {
    suites: [
      {
        name: 'tarmac',
        files: ['app/**/*.spec.ts', 'packages/**/*.spec.ts', 'tests/**/*.spec.ts'],
        timeout: 120_000,
      },
      // Needs a Chromium: `npm run test:browser`.
      { name: 'browser', files: ['app/**/*.browser.ts'], timeout: 120_000 },
    ],
    forceExit: true,
  },
})
