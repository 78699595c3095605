import { mount } from 'svelte';
import { connect } from './api/client';
import App from './App.svelte';
import { startPrefs } from './state/prefs.svelte';
import { startRouter } from './state/router.svelte';
import './styles/tokens.css';
import './styles/base.css';
import { hostTransport } from './transport';

const target = document.getElementById('app');
if (!target) throw new Error('the page has no place for the app');

startPrefs();
startRouter();
connect(await hostTransport());
mount(App, { target });
