export { AppStoreConnectFake } from './app_store_connect_fake.js'
export { sampleScenario } from './sample_scenario.js'
