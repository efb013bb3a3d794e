export * from './src/core/index.js'
export { VirtualClock } from './src/port/virtual_clock.js'
export {
  closeWorld,
  openWorld,
  roughFates,
  World,
  type Clock,
  type Fate,
  type Fates,
  type WorldOptions,
} from './src/port/world.js'
