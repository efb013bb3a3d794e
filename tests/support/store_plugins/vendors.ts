import apple from '@tarmac/plugin-app-store-connect'
import google from '@tarmac/plugin-google-play'
import type { Plugin } from '@tarmac/plugin-kit'
import { appleCredentials, WatchedApple } from './watched_apple.js'
import { googleCredentials, WatchedGoogle } from './watched_google.js'
import type { WatchedOptions, WatchedStore } from './watched_store.js'

/** A vendor: its plugin, and its fake whose history is recorded. */
export interface Vendor {
  plugin: Plugin
  /** The lag that the plugin declares for its lists. */
  lagSeconds: number
  credentials(): Record<string, string>
  store(options: WatchedOptions, nowMs: () => number): WatchedStore
}

export const VENDORS = {
  google: {
    plugin: google,
    lagSeconds: 300,
    credentials: googleCredentials,
    store: (options, nowMs) => new WatchedGoogle(options, nowMs),
  },
  apple: {
    plugin: apple,
    lagSeconds: 60,
    credentials: appleCredentials,
    store: (options, nowMs) => new WatchedApple(options, nowMs),
  },
} satisfies Record<string, Vendor>
