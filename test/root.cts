import { resolve } from 'node:path';

/** The checkout's top folder. Compiled files live in `.build/test`, data files stay where they are. */
export const projectRoot = resolve(__dirname, '..', '..');
