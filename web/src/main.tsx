import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/base.css';
import { App } from './App.tsx';
import { readPageConfig } from './session/pageConfig.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root element.');
createRoot(root).render(
  <StrictMode>
    <App config={readPageConfig()} />
  </StrictMode>,
);
